"""JSON documents on stdout; apart from the tables, whose library takes longer to load than most documents to write."""

import json
import sys
from collections.abc import Mapping
from typing import Any


def print_json(document: Mapping[str, Any]) -> None:
    """Write the document, indented, its keys in the contract's order."""
    json.dump(document, sys.stdout, indent=1)
    sys.stdout.write("\n")
