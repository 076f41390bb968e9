"""Turn what pydantic found wrong into sentences: the path, the value, what is allowed, the fix."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import pulumi
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError


class SettingsError(pulumi.RunError):
    """The settings are wrong. The engine prints a RunError's message without a traceback."""


def mistake(path: str, value: Any, allowed: str, fix: str) -> PydanticCustomError:
    """A mistake that a validator found at `path` below its own model."""
    return PydanticCustomError(
        "mistake", "{value} is wrong", {"path": path, "value": value, "allowed": allowed, "fix": fix}
    )


def explain(error: ValidationError, model: type[BaseModel], root: str, given: Any) -> SettingsError:
    """One paragraph a mistake, in the order of the settings."""
    texts = [_sentence(details, model, root, given) for details in error.errors()]
    head = "" if len(texts) == 1 else f"{len(texts)} mistakes in the settings\n"
    return SettingsError(head + "\n".join(texts))


def _sentence(details: Any, model: type[BaseModel], root: str, given: Any) -> str:
    context: Mapping[str, Any] = details.get("ctx") or {}
    location = [str(part) for part in details["loc"] if part != "[key]"]
    path = ".".join([root, *location, *([context["path"]] if context.get("path") else [])])
    kind: str = details["type"]
    if kind == "mistake":
        value = "missing" if context["value"] is None else _shown(context["value"])
        return f"{path}: {value}\n  allowed: {context['allowed']}\n  fix: {context['fix']}"
    if kind == "extra_forbidden":
        known = _fields(model, details["loc"][:-1])
        near = difflib.get_close_matches(location[-1], known, n=1, cutoff=0.5)
        fix = f"rename it to {near[0]}" if near else "remove it"
        return f"{path}: no such setting\n  allowed: {', '.join(known)}\n  fix: {fix}"
    described = _description(model, details["loc"])
    if kind == "missing":
        below = _fields(model, details["loc"])
        allowed = described or f"a mapping with {', '.join(below)}"
        return f"{path}: missing\n  allowed: {allowed}\n  fix: add {location[-1]}"
    allowed = _allowed(kind, context) or details["msg"].lower()
    if kind in ("model_type", "model_attributes_type", "string_pattern_mismatch") and described:
        allowed = described
    fix = _fix(kind, location[-1], details["input"], allowed, described)
    return f"{path}: {_shown(details['input'])}\n  allowed: {allowed}\n  fix: {fix}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."


_ALLOWED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number, neither infinite nor none",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text (quote it in YAML)",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "mapping_type": "a mapping",
}


def _allowed(kind: str, context: Mapping[str, Any]) -> str:
    if kind in _ALLOWED:
        return _ALLOWED[kind]
    bounds = {
        "greater_than_equal": ("at least", "ge"),
        "less_than_equal": ("at most", "le"),
        "greater_than": ("more than", "gt"),
    }
    if kind in bounds:
        words, key = bounds[kind]
        return f"{words} {context[key]:g}"
    if kind == "literal_error":
        return str(context["expected"]).replace("'", "")
    if kind in ("too_short", "string_too_short"):
        return (
            f"at least {context['min_length']} of them"
            if kind == "too_short"
            else f"at least {context['min_length']} characters"
        )
    return ""


def _fix(kind: str, name: str, given: Any, allowed: str, described: str) -> str:
    if kind == "literal_error":
        near = difflib.get_close_matches(str(given), re.split(r", | or ", allowed), n=1)
        return f"did you mean {near[0]}?" if near else "choose one of them"
    if not described or described == allowed:
        return f"give {name} such a value"
    return f"set {name} to {described if described[1].isupper() else described[0].lower() + described[1:]}"


def _walk(model: type[BaseModel], location: Sequence[int | str]) -> Iterator[Any]:
    """What stands at each step of a pydantic location: a field, or the type of an item or of a mapping's value."""
    annotation: Any = model
    for part in location:
        annotation = _without_none(annotation)
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            field = annotation.model_fields.get(str(part))
            annotation = field.annotation if field else None
            yield field
        else:
            arguments = [argument for argument in get_args(annotation) if argument is not Ellipsis]
            annotation = arguments[-1] if arguments else None
            yield annotation


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        return next(argument for argument in get_args(annotation) if argument is not type(None))
    return _without_none(get_args(annotation)[0]) if get_origin(annotation) is Annotated else annotation


def _fields(model: type[BaseModel], location: Sequence[int | str]) -> list[str]:
    last: Any = model
    for step in _walk(model, location):
        last = step.annotation if isinstance(step, FieldInfo) else step
    last = _without_none(last)
    return list(last.model_fields) if isinstance(last, type) and issubclass(last, BaseModel) else []


def _description(model: type[BaseModel], location: Sequence[int | str]) -> str:
    """The description of the innermost field that has one, without those of the mappings and lists around it."""
    found = ""
    for step in _walk(model, location):
        if isinstance(step, FieldInfo):
            found = step.description or _of_the_optional(step)
    return found


def _of_the_optional(field: FieldInfo) -> str:
    """The description of what may be left out, which stands at the type beside None."""
    notes = [note for kind in get_args(field.annotation) for note in getattr(kind, "__metadata__", ())]
    return next((note.description for note in notes if isinstance(note, FieldInfo) and note.description), "")
