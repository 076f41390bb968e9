"""The AWS API in memory: a moto server in a process of its own on loopback, and clients that can reach nothing else."""

import importlib
import json
import os
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Self

from gpufleet.errors import MissingError
from gpufleet.rehearsal.aws import addressing

# Answered by the server beside the AWS API.
INVENTORY_PATH = "/gpufleet/inventory"
END_PATH = "/gpufleet/end"

# Importing moto takes a second or two on a busy machine; beyond this something is wrong.
START_SECONDS = 60.0
STOP_SECONDS = 3.0

# Obviously not real, and never looked up in the user's profile: nothing signed with them is worth anything to AWS.
ACCESS_KEY_ID = "AKIAREHEARSALONLY000"
SECRET_ACCESS_KEY = "rehearsal-only"  # noqa: S105 (not a secret: the server in memory takes any)


class CloudError(MissingError):
    """The AWS API in memory did not start or does not answer; the message carries what it said."""


class Cloud:
    """A running AWS API in memory. Use `start`, or `attach` for one that another process left standing."""

    def __init__(self, endpoint: str, account_id: str, process: "subprocess.Popen[bytes] | None") -> None:
        """Wrap a server that answers.

        Args:
            endpoint: `http://127.0.0.1:PORT`.
            account_id: the twelve digits that its ARNs carry.
            process: the server, where this process started it.
        """
        self.endpoint = endpoint
        self.account_id = account_id
        self._process = process
        self._session: Any = None
        self._clients: dict[tuple[str, str], Any] = {}

    @classmethod
    def start(cls, account_id: str, log: Path, *, outlives_parent: bool = False) -> Self:
        """Start a server and wait until it answers.

        Args:
            account_id: the account whose ARNs it hands out.
            log: file for its request log; the folder must exist.
            outlives_parent: leave it running when this process ends; its pid is then the caller's to remember.

        Raises:
            CloudError: it ended or said nothing within `START_SECONDS`; the end of its log is in the message.
        """
        # -P: nothing in the current directory can take a module's place.
        command = [sys.executable, "-P", "-m", "gpufleet.rehearsal.cloud_server"]
        if not outlives_parent:
            command.append("--until-stdin-closes")
        with log.open("wb") as log_file:
            process = subprocess.Popen(  # noqa: S603 (our own module)
                command,
                stdin=subprocess.DEVNULL if outlives_parent else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log_file,
                env=_server_environment(account_id),
                # A Ctrl-C in the terminal is for the command, which ends the server when it has torn down.
                start_new_session=True,
            )
        line = _first_line(process, START_SECONDS)
        if not line:
            _end(process)
            tail = log.read_text(errors="replace")[-2000:].strip()
            raise CloudError(
                f"the AWS API in memory (moto's server) did not start within {START_SECONDS:.0f} s; it said: "
                f"{tail or 'nothing'}. Check that `pip install 'gpufleet[rehearsal]'` is complete."
            )
        return cls(f"http://127.0.0.1:{json.loads(line)['port']}", account_id, process)

    @classmethod
    def attach(cls, endpoint: str, account_id: str) -> Self:
        """Use a server that is already running, as one kept by an earlier rehearsal."""
        return cls(endpoint, account_id, None)

    @property
    def pid(self) -> int | None:
        """The server's process id, None where this process did not start it."""
        return self._process.pid if self._process else None

    def client(self, service: str, region: str = "us-east-1") -> Any:
        """Make (once) a boto3-style client that speaks to this server only.

        Profiles, credentials, endpoints and proxies of the user's environment are not looked at.

        Args:
            service: boto3's name, as `ec2`.
            region: region of the objects; ignored by global services.
        """
        key = (service, region)
        if key not in self._clients:
            self._clients[key] = self._make_client(service, region)
        return self._clients[key]

    def inventory(self) -> list[dict[str, str]]:
        """List everything in the server that it did not seed itself: `service`, `region`, `kind` and `id` of each.

        Raises:
            CloudError: the server is gone.
        """
        return self._ask(INVENTORY_PATH)

    def end(self) -> None:
        """End a server that another process started and left standing.

        Raises:
            CloudError: it is gone already.
        """
        self._ask(END_PATH)

    def close(self) -> None:
        """End the server, if this process started it."""
        if process := self._let_go():
            _end(process)

    def leave(self) -> None:
        """Let go of a server that was started to outlive this process."""
        if process := self._let_go():
            if process.stdout is not None:
                process.stdout.close()
            # Popen warns of a child that is still running when it is collected; this one is meant to be.
            process.returncode = 0

    def _let_go(self) -> "subprocess.Popen[bytes] | None":
        for client in self._clients.values():
            client.close()
        self._clients.clear()
        process, self._process = self._process, None
        return process

    def _ask(self, path: str) -> list[dict[str, str]]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(self.endpoint + path, timeout=START_SECONDS) as answer:
                items: list[dict[str, str]] = json.load(answer)
        except (OSError, ValueError) as error:
            raise CloudError(f"the AWS API in memory at {self.endpoint} does not answer: {error}") from error
        return items

    def _make_client(self, service: str, region: str) -> Any:
        # Dynamic imports: botocore ships no types, and its import time is only paid by who reads back.
        if self._session is None:
            nowhere = dict.fromkeys(("profile", "ca_bundle"), (None, None, None, None))
            files = dict.fromkeys(("config_file", "credentials_file"), (None, None, os.devnull, None))
            session: Any = importlib.import_module("botocore.session").Session(session_vars={**nowhere, **files})
            session.set_credentials(ACCESS_KEY_ID, SECRET_ACCESS_KEY)
            self._session = session
        config = importlib.import_module("botocore.config").Config(
            retries={"mode": "standard", "total_max_attempts": 1},
            s3=dict(addressing.S3),
            proxies={},
            ignore_configured_endpoint_urls=True,
        )
        client = self._session.create_client(service, region_name=region, endpoint_url=self.endpoint, config=config)
        addressing.keep_host(client)
        return client


def environment_for(cloud: Cloud) -> dict[str, str]:
    """Give the environment variables with which boto3 or the AWS CLI look at this server and at nothing else."""
    return {
        "AWS_ENDPOINT_URL": cloud.endpoint,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY_ID,
        "AWS_SECRET_ACCESS_KEY": SECRET_ACCESS_KEY,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def _server_environment(account_id: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MOTO_"))}
    package_root = str(Path(__file__).resolve().parents[2])
    return {
        **kept,
        "MOTO_ACCOUNT_ID": account_id,
        # Thousands of images and snapshots that nothing here looks at: two seconds for each region.
        "MOTO_EC2_LOAD_DEFAULT_AMIS": "false",
        # Roles attach AWS's own managed policies: they must exist to be attached.
        "MOTO_IAM_LOAD_MANAGED_POLICIES": "true",
        "PYTHONPATH": os.pathsep.join(filter(None, [package_root, kept.get("PYTHONPATH", "")])),
    }


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def _first_line(process: "subprocess.Popen[bytes]", seconds: float) -> bytes:
    """Read the first line of a process's output; empty when it ends or is silent for too long."""
    lines: list[bytes] = []
    stream: IO[bytes] | None = process.stdout
    reader = threading.Thread(target=lambda: lines.append(stream.readline() if stream else b""), daemon=True)
    reader.start()
    reader.join(timeout=seconds)
    return lines[0] if lines else b""


def describe(items: Sequence[dict[str, str]]) -> list[str]:
    """Put inventory items into words: `ec2 Subnet subnet-1 (us-east-1)`."""
    return [f"{item['service']} {item['kind']} {item['id']} ({item['region']})" for item in items]
