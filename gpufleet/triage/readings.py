"""What the files said, whatever their format: samples by GPU and metric, events, and the phases of steps."""

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import fmean, median


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a file, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, order=True)
class Device:
    """A GPU of a host; `host` is empty where the file does not say."""

    file: str
    host: str
    gpu: str

    def __str__(self) -> str:
        return f"GPU {self.gpu} of {self.host}" if self.host else f"GPU {self.gpu}"


@dataclass(slots=True)
class Series:
    """The values of one metric of one GPU, each with its line and its moment.

    What was read at the same moment has the same number there, also where it stands on several lines.
    """

    file: str
    values: "array[float]" = field(default_factory=lambda: array("d"))
    lines: "array[int]" = field(default_factory=lambda: array("L"))
    moments: "array[int]" = field(default_factory=lambda: array("L"))

    def add(self, value: float, line: int, moment: int) -> None:
        """Take one more value."""
        self.values.append(value)
        self.lines.append(line)
        self.moments.append(moment)

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return fmean(self.values)

    @property
    def median(self) -> float:
        """The median of the values."""
        return median(self.values)

    def share(self, holds: Callable[[float], bool]) -> float:
        """Which part of the values, 0 to 1, the condition holds for."""
        return sum(map(holds, self.values)) / len(self.values)

    def first(self, holds: Callable[[float], bool]) -> Place | None:
        """Where the condition first holds."""
        for value, line in zip(self.values, self.lines, strict=True):
            if holds(value):
                return Place(self.file, line)
        return None

    def place_of(self, extreme: Callable[..., float]) -> Place:
        """Where the smallest (`min`) or the largest (`max`) value first stands."""
        return Place(self.file, self.lines[self.values.index(extreme(self.values))])


@dataclass(slots=True)
class Event:
    """Something that a log line tells, however often it does."""

    kind: str
    code: str
    about: str
    """The GPU, rank or host that it is about, as the line names it."""
    text: str
    place: Place
    """The first line that tells it."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a training job: seconds by phase."""

    rank: str
    total: float
    phases: Mapping[str, float]
    place: Place


class Readings:
    """Everything that was read; formats fill it, causes ask it."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.nccl_hosts: set[str] = set()
        self._series: dict[Device, dict[str, Series]] = {}
        self._events: dict[tuple[str, str, str], Event] = {}

    def sample(self, device: Device, metric: str, value: float, line: int, moment: int) -> None:
        """Take one value of a metric; the metrics and their units are those of `formats.metrics`."""
        by_metric = self._series.setdefault(device, {})
        if metric not in by_metric:
            by_metric[metric] = Series(device.file)
        by_metric[metric].add(value, line, moment)

    def event(self, kind: str, code: str, about: str, text: str, place: Place) -> None:
        """Take one event; the same one again is counted."""
        known = self._events.get((kind, code, about))
        if known is None:
            self._events[kind, code, about] = Event(kind, code, about, text, place)
        else:
            known.count += 1

    @property
    def devices(self) -> list[Device]:
        """Every GPU of which there is a sample."""
        return sorted(self._series)

    def series(self, device: Device, metric: str) -> Series | None:
        """The values of a metric of a GPU, None where there are none."""
        return self._series[device].get(metric)

    def all(self, metric: str) -> list[tuple[Device, Series]]:
        """Every GPU's values of a metric."""
        found = ((device, self.series(device, metric)) for device in self.devices)
        return [(device, series) for device, series in found if series is not None]

    def joined(self, device: Device, *metrics: str) -> Iterator[tuple[int, tuple[float, ...]]]:
        """Line and values of every moment at which all the metrics of a GPU are known."""
        found = [self.series(device, metric) for metric in metrics]
        if any(series is None for series in found):
            return
        known = [series for series in found if series is not None]
        others = [dict(zip(series.moments, series.values, strict=True)) for series in known[1:]]
        for value, line, moment in zip(known[0].values, known[0].lines, known[0].moments, strict=True):
            if all(moment in other for other in others):
                yield line, (value, *(other[moment] for other in others))

    def events(self, kind: str) -> list[Event]:
        """The events of a kind, in the order in which they were read."""
        return [event for event in self._events.values() if event.kind == kind]
