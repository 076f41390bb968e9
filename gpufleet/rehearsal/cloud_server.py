"""The server process of the AWS API in memory: moto's WSGI application on a loopback port, and an inventory of it.

Run as `python -m gpufleet.rehearsal.cloud_server` by `gpufleet.rehearsal.cloud`. The first line on standard output is a
JSON object `{"port": ...}`: the server answers from then on. The account is the one in `MOTO_ACCOUNT_ID`.

With `--until-stdin-closes` it ends with its parent, however that ends: the parent holds the other end of standard
input, and on Linux the kernel is asked for a signal too.
"""

import argparse
import ctypes
import importlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from werkzeug.serving import make_server

from gpufleet.rehearsal.cloud import END_PATH, INVENTORY_PATH
from gpufleet.rehearsal.inventory import Inventory
from gpufleet.rehearsal.repairs import repair

# prctl(2): PR_SET_PDEATHSIG.
_PARENT_DEATH_SIGNAL = 1

_Wsgi: TypeAlias = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


# Long enough for the answer to leave before the process does.
_END_SECONDS = 0.1


def with_inventory(application: _Wsgi, inventory: Inventory) -> _Wsgi:
    """Answer `INVENTORY_PATH` with the inventory as JSON and `END_PATH` by ending, everything else with moto."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ.get("PATH_INFO")
        if path not in (INVENTORY_PATH, END_PATH):
            return application(environ, start_response)
        if path == END_PATH:
            threading.Timer(_END_SECONDS, os._exit, args=(0,)).start()
        start_response("200 OK", [("Content-Type", "application/json")])
        return [json.dumps(inventory.items()).encode()]

    return answer


def die_with_parent() -> None:
    """End this process when its parent ends: by a signal of the kernel on Linux, at the end of its input everywhere."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)

    def wait() -> None:
        while os.read(0, 4096):
            pass
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until ended by a signal.

    Args:
        arguments: `--until-stdin-closes` or nothing; defaults to the command line.
    """
    parser = argparse.ArgumentParser(prog="gpufleet.rehearsal.cloud_server")
    parser.add_argument("--until-stdin-closes", action="store_true")
    if parser.parse_args(arguments).until_stdin_closes:
        die_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    # A dynamic import: this part of moto ships without types.
    moto: Any = importlib.import_module("moto.moto_server.werkzeug_app")
    repair()
    application = with_inventory(moto.DomainDispatcherApplication(moto.create_backend_app), Inventory())
    server = make_server("127.0.0.1", 0, application, threaded=True, request_handler=moto.MotoRequestHandler)
    print(json.dumps({"port": server.server_port}), flush=True)
    server.serve_forever()


def _end(signal_number: int, frame: object) -> None:
    """Leave at once: everything is in memory, and request threads must not be waited for."""
    os._exit(0)


if __name__ == "__main__":
    main()
