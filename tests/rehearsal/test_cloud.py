"""The AWS API in memory: whose it is, what it holds, and how it ends."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpufleet.rehearsal import cloud as clouds
from gpufleet.rehearsal.cloud import Cloud, CloudError

ACCOUNT = "444455556666"
TRUST = '{"Version": "2012-10-17", "Statement": []}'
ROOT = Path(__file__).parents[2]

# Starts a server, says its pid, and waits to be killed.
PARENT = """
import sys
from pathlib import Path
from gpufleet.rehearsal.cloud import Cloud
server = Cloud.start("444455556666", Path(sys.argv[1]))
print(server.pid, flush=True)
sys.stdin.read()
"""


def test_arns_carry_the_stacks_account(cloud: Cloud) -> None:
    role = cloud.client("iam").create_role(RoleName="nodes", AssumeRolePolicyDocument=TRUST)["Role"]
    assert role["Arn"] == f"arn:aws:iam::{ACCOUNT}:role/nodes"
    assert cloud.client("sts").get_caller_identity()["Account"] == ACCOUNT


def test_the_users_aws_settings_are_not_looked_at(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_CA_BUNDLE", "/no/such/bundle")
    assert cloud.client("s3").list_buckets()["Buckets"] == []
    assert cloud.inventory() == []


def test_what_moto_seeds_is_not_in_the_inventory(cloud: Cloud) -> None:
    for region in ("us-east-1", "eu-central-1"):
        assert cloud.client("ec2", region).describe_vpcs()["Vpcs"]
    assert cloud.client("iam").list_policies(Scope="AWS")["Policies"]
    assert cloud.inventory() == []


def test_everything_a_stack_makes_is_in_the_inventory_until_it_is_deleted(cloud: Cloud) -> None:
    ec2 = cloud.client("ec2", "eu-central-1")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.0.0.0/24")["Subnet"]["SubnetId"]
    address = ec2.allocate_address(Domain="vpc")["AllocationId"]
    nat = ec2.create_nat_gateway(SubnetId=subnet, AllocationId=address)["NatGateway"]["NatGatewayId"]
    budget = {
        "BudgetName": "gpus",
        "TimeUnit": "MONTHLY",
        "BudgetType": "COST",
        "BudgetLimit": {"Amount": "5", "Unit": "USD"},
    }
    cloud.client("budgets").create_budget(AccountId=ACCOUNT, Budget=budget)
    kinds = {(item["service"], item["region"], item["kind"]) for item in cloud.inventory()}
    assert {
        ("ec2", "eu-central-1", "VPC"),
        ("ec2", "eu-central-1", "Subnet"),
        ("ec2", "eu-central-1", "NatGateway"),
        ("ec2", "eu-central-1", "ElasticAddress"),
        ("budgets", "aws", "Budget"),
    } <= kinds
    assert {"service": "ec2", "region": "eu-central-1", "kind": "ElasticAddress", "id": address} in cloud.inventory()

    cloud.client("budgets").delete_budget(AccountId=ACCOUNT, BudgetName="gpus")
    ec2.delete_nat_gateway(NatGatewayId=nat)
    ec2.release_address(AllocationId=address)
    ec2.delete_subnet(SubnetId=subnet)
    ec2.delete_vpc(VpcId=vpc)
    assert cloud.inventory() == []


def test_a_key_that_waits_for_its_deletion_is_gone_for_the_stack(cloud: Cloud) -> None:
    kms = cloud.client("kms")
    key = kms.create_key()["KeyMetadata"]["KeyId"]
    assert clouds.describe(cloud.inventory()) == [f"kms Key {key} (us-east-1)"]
    kms.schedule_key_deletion(KeyId=key, PendingWindowInDays=7)
    assert cloud.inventory() == []


def test_a_role_can_attach_awss_own_policies(cloud: Cloud) -> None:
    iam = cloud.client("iam")
    iam.create_role(RoleName="nodes", AssumeRolePolicyDocument=TRUST)
    arn = "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy"
    iam.attach_role_policy(RoleName="nodes", PolicyArn=arn)
    assert [p["PolicyArn"] for p in iam.list_attached_role_policies(RoleName="nodes")["AttachedPolicies"]] == [arn]


def test_only_loopback_listens(cloud: Cloud) -> None:
    assert cloud.endpoint.startswith("http://127.0.0.1:")


def test_the_server_ends_with_a_parent_that_is_killed(tmp_path: Path, ends: Callable[[int], bool]) -> None:
    command = [sys.executable, "-c", PARENT, str(tmp_path / "cloud.log")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        server = int(parent.stdout.readline())
        parent.kill()
    assert ends(server)


def test_a_server_left_standing_can_be_attached_to_and_ended(tmp_path: Path, ends: Callable[[int], bool]) -> None:
    left = Cloud.start(ACCOUNT, tmp_path / "cloud.log", outlives_parent=True)
    pid = left.pid
    assert pid is not None
    attached = Cloud.attach(left.endpoint, ACCOUNT)
    assert attached.client("sts").get_caller_identity()["Account"] == ACCOUNT
    left.leave()
    attached.end()
    attached.close()
    assert ends(pid)
    with pytest.raises(CloudError, match="does not answer"):
        attached.inventory()


def test_a_server_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "moto.py").write_text("raise ImportError('moto is broken')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(broken))
    monkeypatch.chdir(broken)
    with pytest.raises(CloudError, match="moto is broken"):
        Cloud.start(ACCOUNT, tmp_path / "cloud.log")
