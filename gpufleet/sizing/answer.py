"""The whole answer to a question, as one document: what `--json` prints and the tables are made from."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gpufleet.facts import prices
from gpufleet.sizing import adapters, checkpoints, datasets, pool, search, states
from gpufleet.sizing.memory import PARTS, Estimator, Memory
from gpufleet.sizing.offers import Offer
from gpufleet.sizing.quantities import GIB, MIB
from gpufleet.sizing.question import Asked, Question
from gpufleet.sizing.search import Configuration, Found
from gpufleet.sizing.speed import operations_per_token


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, what the search found, and what follows for data and checkpoints."""

    question: Question
    asked: Asked
    found: Found

    @property
    def best(self) -> Configuration | None:
        """The configuration that everything else is about: the cheapest."""
        return self.found.cheapest[0] if self.found.cheapest else None

    @property
    def shown(self) -> Configuration | None:
        """The one whose memory is broken down: the best, or what comes nearest."""
        return self.best or self.found.nearest

    def checkpoint(self, one: Configuration) -> checkpoints.Plan | None:
        """The checkpoints of a configuration; a server has none."""
        asked, question = self.asked, self.question
        if not asked.job.trains:
            return None
        return checkpoints.plan(
            asked.model,
            asked.job,
            one.instance,
            one.nodes,
            spot=one.offer.purchase == "spot",
            failures_per_node_day=question.failures_per_node_day,
            write_gb_s=question.checkpoint_gb_s,
            restart_minutes=question.restart_minutes,
        )

    def need(self, one: Configuration) -> datasets.Need | None:
        """What is read, if a dataset was named; samples that are not counted are those the configuration trains on."""
        question, job = self.question, self.asked.job
        if question.dataset_gib is None or not job.trains:
            return None
        # Token ids of 32 bits; whoever reads something else says how large a sample is.
        sample = question.sample_kib * 1024 if question.sample_kib is not None else job.sequence * 4
        rate = question.samples_per_second
        if rate is None:
            rate = one.speed.tokens_per_second / job.sequence
        return datasets.Need(
            dataset_bytes=question.dataset_gib * GIB, sample_bytes=sample, samples_per_second=rate, nodes=one.nodes
        )

    def pool_yaml(self, zone: str | None) -> str | None:
        """The pool of the best configuration; `None` where nothing fits."""
        if self.best is None:
            return None
        asked = self.asked
        return pool.yaml(
            self.best,
            asked.model,
            asked.job,
            region=asked.limits.region,
            chosen_zone=zone,
            checkpoint=self.checkpoint(self.best),
        )

    def as_document(self, *, top: int, zone: str | None = None) -> Mapping[str, Any]:
        """Everything, in plain values; bytes are whole numbers, MiB are 2^20 of them."""
        asked, best, shown = self.asked, self.best, self.shown
        return {
            "schema": 1,
            "model": self._model(),
            "job": asdict(asked.job),
            "limits": asdict(asked.limits),
            "work": self._work(),
            "assumptions": list(self.assumptions()),
            "rule_of_thumb_mib": states.rule_of_thumb(asked.model.parameters) // MIB,
            "memory": None if shown is None else self._configuration(shown),
            "candidates": self.found.candidates,
            "fitting": self.found.fitting,
            "cheapest": [self._configuration(one) for one in self.found.cheapest[:top]],
            "fastest": [self._configuration(one) for one in self.found.fastest[:top]],
            "nearest": None if self.found.nearest is None else self._configuration(self.found.nearest),
            "left_out": [{"instance_type": name, "why": why} for name, why in self.found.left_out],
            "data": None if best is None else self._data(best),
            "checkpoints": None if best is None else self._checkpoints(best),
            "pool": self.pool_yaml(zone),
            "prices_as_of": prices.as_of(),
        }

    def assumptions(self) -> tuple[str, ...]:
        """What the figures hang on and nobody said."""
        job, limits = self.asked.job, self.asked.limits
        said = list(self.asked.model.assumed)
        said.append(f"{limits.memory_share:.0%} of what a GPU reports is used (--memory-share)")
        if job.trains:
            said.append(f"GPUs reach {limits.utilisation:.0%} of their dense peak while they compute (--utilisation)")
            if job.flash:
                said.append("attention never stores its scores (FlashAttention)")
        if self.asked.model.experts is not None:
            said.append("experts are used evenly")
        return tuple(said)

    def _model(self) -> Mapping[str, Any]:
        model, job = self.asked.model, self.asked.job
        trained = adapters.parameters(model, job.rank) if job.adapts else model.parameters if job.trains else 0
        return {
            **asdict(model),
            "parameters": model.parameters,
            "active_parameters": model.active_parameters,
            "trained_parameters": trained,
            "cache_bytes_per_token": int(Estimator(model, job).cache_per_token()),
        }

    def _work(self) -> Mapping[str, Any] | None:
        """Operations of the training itself, nothing recomputed."""
        job, tokens = self.asked.job, self.asked.limits.tokens
        if not job.trains:
            return None
        each = operations_per_token(self.asked.model, job, recompute="none")
        return {
            "operations_per_token": each,
            "tokens": tokens,
            "operations": None if tokens is None else each * tokens,
            "utilisation": self.asked.limits.utilisation,
        }

    def _configuration(self, one: Configuration) -> Mapping[str, Any]:
        return {
            "instance_type": one.instance.name,
            "nodes": one.nodes,
            "gpu": one.gpu.model,
            "gpus": one.layout.gpus,
            "layout": {**asdict(one.layout), "words": one.layout.words()},
            "memory_mib": memory_mib(one.memory),
            "gpu_mib": {
                "ec2": one.instance.gpu_memory_mib,
                "reported": one.gpu.reported_mib,
                "reported_measured": one.gpu.measured,
                "reported_source": one.gpu.reported_source,
                "usable": int(one.available / MIB),
            },
            "nvlink_gb_s_per_gpu": one.instance.nvlink_gb_s_per_gpu,
            "efa_interfaces": one.instance.efa_interfaces,
            "gpudirect_rdma": one.instance.gpudirect_rdma,
            "usd_hour": usd_hour(one.offer, one.nodes),
            "tokens_per_second": one.speed.tokens_per_second,
            "step_seconds": one.speed.step_seconds,
            "first_token_seconds": one.speed.first_token_seconds,
            "compute_share": one.speed.compute_share,
            "gradient_accumulation": one.speed.micro_batches,
            "global_batch": one.speed.micro_batches * one.layout.data * self.asked.job.batch
            if self.asked.job.trains
            else None,
            "hours": one.hours,
            "usd": one.usd,
        }

    def _data(self, one: Configuration) -> Mapping[str, Any] | None:
        need = self.need(one)
        if need is None:
            return None
        region = self.asked.limits.region
        options = datasets.choices(need, one.instance, region)
        return {
            **asdict(need),
            "bytes_per_second": need.bytes_per_second,
            "bucket_usd_month": datasets.bucket_usd_month(need.dataset_bytes, region),
            "choices": [asdict(option) for option in options],
        }

    def _checkpoints(self, one: Configuration) -> Mapping[str, Any] | None:
        plan = self.checkpoint(one)
        if plan is None:
            return None
        lost = None if one.usd_hour is None else plan.lost_share * one.usd_hour
        return {**asdict(plan), "lost_usd_hour": lost}


def answer(question: Question, asked: Asked) -> Answer:
    """Search and put together."""
    return Answer(question, asked, search.search(asked.model, asked.job, asked.limits, asked.choices))


def memory_mib(memory: Memory) -> Mapping[str, int]:
    """Every part in whole MiB, the total rounded from the bytes themselves."""
    parts = {name: round(getattr(memory, name) / MIB) for name in PARTS}
    return {**parts, "total": round(memory.total / MIB), "host": round(memory.host / MIB)}


def usd_hour(offer: Offer, nodes: int) -> Mapping[str, Any]:
    """Of all nodes, by purchase option; `None` where the type is not sold so or no figure is known."""

    def of_all(usd: float | None) -> float | None:
        return None if usd is None else round(usd * nodes, 6)

    return {
        "on_demand": of_all(offer.on_demand),
        "spot_low": of_all(offer.spot_low),
        "spot_high": of_all(offer.spot_high),
        "spot_from_history": offer.spot_from_history,
        "capacity_block": of_all(offer.capacity_block),
        "reservation": of_all(offer.reservation),
        "assumed": offer.assumed,
        "date": offer.date,
        "source": offer.source,
    }
