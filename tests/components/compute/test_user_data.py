from pathlib import Path

from components.compute.user_data import node_config

GOLDEN = Path(__file__).parents[2] / "golden" / "user_data" / "al2023-raid0.txt"


def test_local_storage_is_told_to_nodeadm_as_in_the_golden_file() -> None:
    assert node_config(local_storage=True) == GOLDEN.read_text()


def test_without_local_storage_there_is_nothing_to_say() -> None:
    assert node_config(local_storage=False) is None
