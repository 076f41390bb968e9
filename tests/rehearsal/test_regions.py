"""A cluster in each of two regions: the objects and the nodes of each are in its own, and nothing is left in either."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpufleet.plan import planning, project
from gpufleet.rehearsal import command
from gpufleet.rehearsal.cluster import Cluster
from gpufleet.rehearsal.engine import Engine
from gpufleet.rehearsal.kubernetes.api import Api
from gpufleet.rehearsal.kubernetes.connection import KUBECONFIG, of_rehearsal
from gpufleet.rehearsal.session import Session

pytestmark = [pytest.mark.engine, pytest.mark.usefixtures("binaries"), pytest.mark.xdist_group("regions")]

ROOT = Path(__file__).parents[2]
SETTINGS = Path(__file__).parent / "regions.yaml"


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """Both clusters, and nothing in them yet."""
    loaded = project.load(ROOT, settings_file=SETTINGS)
    subject = command.subject_of(loaded, planning.run(loaded, preview=True))
    with Session(subject, engine) as entered:
        yield entered


def names(cluster: Cluster, path: str) -> list[str]:
    api = Api(of_rehearsal({KUBECONFIG: str(cluster.kubeconfig)}))
    return [item["metadata"]["name"] for item in api.call("GET", path, "list")["items"]]


def test_each_region_has_its_own_pool_and_nodes_and_both_go(session: Session) -> None:
    preview, up = session.preview(), session.up()
    assert (preview.problems, up.problems) == ([], [])
    made = {
        cluster.name.rpartition("gpufleet-")[2]: (
            names(cluster, "/apis/karpenter.sh/v1/nodepools"),
            [name for name in names(cluster, "/api/v1/nodes") if not name.startswith("system-")],
        )
        for cluster in session.clusters
    }
    assert made == {
        "regions-us-east-1": (["east"], ["east-0", "east-1"]),
        "regions-us-west-2": (["west"], ["west-0", "west-1"]),
    }
    again = session.up(expect_no_changes=True)
    assert (again.ok, again.changed) == (True, [])

    state = session.export()
    destroyed = session.destroy()
    assert destroyed.ok, destroyed.problems
    assert session.clusters.left(state) == []
    # The account keeps the roles of AWS's services, whoever made them first.
    retained = {resource["outputs"]["uniqueId"] for resource in state if resource.get("retainOnDelete")}
    assert {item["id"] for item in session.cloud.inventory()} == retained
