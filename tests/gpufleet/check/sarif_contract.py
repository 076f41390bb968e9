"""The part of SARIF 2.1.0 that we write, as a strict JSON schema of our own.

The standard's schema itself is OASIS's; where `GPUFLEET_SARIF_SCHEMA` names a copy of it, a test validates by that too:
https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
"""

from typing import Any

TEXT: Any = {"type": "string", "minLength": 1}


def thing(required: dict[str, Any], **optional: Any) -> Any:
    """An object that has all of the one, may have the others, and has nothing else."""
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def listed(item: Any, **limits: Any) -> Any:
    return {"type": "array", "items": item, **limits}


LEVEL: Any = {"enum": ["none", "note", "warning", "error"]}
LOCATION: Any = thing({"uri": {"type": "string", "format": "uri-reference"}}, index={"type": "integer", "minimum": -1})
RULE: Any = thing(
    {
        "id": TEXT,
        "shortDescription": thing({"text": TEXT}),
        "fullDescription": thing({"text": TEXT}),
        "help": thing({"text": TEXT, "markdown": TEXT}),
        "defaultConfiguration": thing({"level": LEVEL, "enabled": {"type": "boolean"}}),
        "properties": {"type": "object", "properties": {"tags": listed(TEXT, uniqueItems=True)}},
    },
    helpUri={"type": "string", "format": "uri"},
)
RESULT: Any = thing(
    {
        "ruleId": TEXT,
        "ruleIndex": {"type": "integer", "minimum": 0},
        "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
        "level": LEVEL,
        "message": thing({"text": TEXT}),
        "locations": listed(
            thing(
                {
                    "physicalLocation": thing(
                        {
                            "artifactLocation": LOCATION,
                            "region": thing({"startLine": {"type": "integer", "minimum": 1}}),
                        }
                    ),
                    "logicalLocations": listed(thing({"name": TEXT, "fullyQualifiedName": TEXT, "kind": TEXT})),
                }
            )
        ),
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    suppressions=listed(
        thing(
            {
                "kind": {"enum": ["inSource", "external"]},
                "status": {"enum": ["accepted", "underReview", "rejected"]},
                "justification": TEXT,
            }
        ),
        uniqueItems=True,
    ),
)
LOG: Any = thing(
    {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": listed(
            thing(
                {
                    "tool": thing(
                        {
                            "driver": thing(
                                {
                                    "name": TEXT,
                                    "version": TEXT,
                                    "semanticVersion": TEXT,
                                    "rules": listed(RULE, uniqueItems=True),
                                }
                            )
                        }
                    ),
                    "automationDetails": thing({"id": TEXT}),
                    "artifacts": listed(thing({"location": LOCATION}), uniqueItems=True),
                    "invocations": listed(
                        thing({"executionSuccessful": {"type": "boolean"}, "exitCode": {"type": "integer"}})
                    ),
                    "results": listed(RESULT),
                }
            )
        ),
    }
)
