import json
from typing import Any

import pulumi
import pulumi_aws as aws
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.identity.grants import dataset_reader
from components.identity.grants.place import Place
from components.identity.pod_role import PodRole, PodRoleArgs
from components.identity.statements import MANAGED_LIMIT, TRUST_LIMIT, managed
from gpufleet.plan import police
from policies import rules
from tests.components import builds
from tests.harness import Recorded, record

ROLE, POLICY = "aws:iam/role:Role", "aws:iam/policy:Policy"
ATTACHMENT = "aws:iam/rolePolicyAttachment:RolePolicyAttachment"
ASSOCIATION = "aws:eks/podIdentityAssociation:PodIdentityAssociation"
CLUSTER = f"arn:aws:eks:us-east-1:{builds.ACCOUNT}:cluster/demo"
PLACE = Place(**builds.REGION)
READER = dataset_reader.statements(PLACE, "arn:aws:s3:::data", builds.KEY)
DATASETS = json.dumps({"Version": "2012-10-17", "Statement": [statement.as_dict() for statement in READER]})


def args(**changes: Any) -> PodRoleArgs:
    defaults: dict[str, Any] = {
        "account_id": builds.ACCOUNT,
        "cluster_name": "demo",
        "cluster_arn": CLUSTER,
        "namespace": "training",
        "service_account": "runner",
        "policies": {"datasets": DATASETS},
    }
    return PodRoleArgs(**(defaults | changes))


def made(**changes: Any) -> Recorded:
    return record(lambda: PodRole("runner", args(**changes)))


def test_eks_hands_the_role_to_one_service_account_of_one_cluster_of_one_account() -> None:
    (trusted,) = json.loads(made().one(ROLE).inputs["assumeRolePolicy"])["Statement"]

    assert trusted["Principal"] == {"Service": "pods.eks.amazonaws.com"}
    assert trusted["Action"] == ["sts:AssumeRole", "sts:TagSession"]
    assert trusted["Condition"] == {
        "ArnEquals": {"aws:SourceArn": CLUSTER},
        "StringEquals": {
            "aws:SourceAccount": builds.ACCOUNT,
            "aws:RequestTag/kubernetes-namespace": "training",
            "aws:RequestTag/kubernetes-service-account": "runner",
        },
    }


def test_each_document_is_a_policy_of_its_own_attached_to_the_role() -> None:
    recorded = made(policies={"data": "{}", "logs": "{}"})

    assert [policy.name for policy in recorded.all(POLICY)] == ["runner-data", "runner-logs"]
    assert [attachment.name for attachment in recorded.all(ATTACHMENT)] == ["runner-data", "runner-logs"]
    assert {a.inputs["policyArn"] for a in recorded.all(ATTACHMENT)} == {p.outputs["arn"] for p in recorded.all(POLICY)}
    assert {a.inputs["role"] for a in recorded.all(ATTACHMENT)} == {recorded.one(ROLE).outputs["name"]}


def test_the_association_comes_after_the_policies_and_keeps_the_session_tags() -> None:
    recorded = made()

    association = recorded.one(ASSOCIATION)
    assert association.inputs == {
        "clusterName": "demo",
        "namespace": "training",
        "serviceAccount": "runner",
        "roleArn": recorded.one(ROLE).outputs["arn"],
    }
    assert {attachment.urn for attachment in recorded.all(ATTACHMENT)} < set(association.dependencies)


def test_pods_that_take_the_service_account_from_here_start_after_the_association() -> None:
    def build() -> None:
        role = PodRole("runner", args())
        aws.ssm.Parameter("pods", type="String", value=role.service_account)

    recorded = record(build)

    pods = recorded.one("aws:ssm/parameter:Parameter")
    assert pods.inputs["value"] == "runner"
    assert pods.dependencies == (recorded.one(ASSOCIATION).urn,)


def test_a_boundary_and_a_path_are_passed_on() -> None:
    boundary = f"arn:aws:iam::{builds.ACCOUNT}:policy/boundary"

    recorded = made(permissions_boundary_arn=boundary, path="/gpufleet/")

    assert recorded.one(ROLE).inputs["permissionsBoundary"] == boundary
    assert recorded.one(ROLE).inputs["path"] == recorded.one(POLICY).inputs["path"] == "/gpufleet/"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"service_account": "job-*"}, r"service_account: 'job-\*' holds a wildcard"),
        ({"namespace": "*"}, r"namespace: '\*' holds a wildcard"),
        ({"policies": {}}, "policies: 0 were given, a role takes 1 to 10"),
        ({"policies": {str(n): "{}" for n in range(11)}}, "policies: 11 were given"),
        ({"path": "gpufleet"}, "path: 'gpufleet' is no path of IAM"),
    ],
)
def test_a_mistake_is_answered_with_what_is_allowed(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        args(**changes)


def test_a_document_that_iam_would_not_take_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="policies.data has 6145 characters, allowed are 6144; split it"):
        args(policies={"data": "x" * (MANAGED_LIMIT + 1)})


def test_grants_become_its_policies() -> None:
    recorded = record(lambda: PodRole("runner", args(policies=managed({"datasets": READER}))))

    assert json.loads(recorded.one(POLICY, "runner-datasets").inputs["policy"]) == json.loads(DATASETS)


def test_arguments_may_come_as_a_plain_mapping_with_json_documents() -> None:
    given_ = {
        "account_id": builds.ACCOUNT,
        "cluster_name": "demo",
        "cluster_arn": CLUSTER,
        "namespace": "training",
        "service_account": "runner",
        "policies": {"none": '{"Version": "2012-10-17", "Statement": []}'},
    }

    assert record(lambda: PodRole("runner", given_)).one(POLICY).name == "runner-none"  # pyright: ignore[reportArgumentType] -- as from another language


def test_it_holds_before_every_policy_rule() -> None:
    def build() -> None:
        tags = aws.ProviderDefaultTagsArgs(
            tags={"owner": "a", "cost-center": "b", "expires": "2027-01-31", "gpufleet-stack": "s"}
        )
        provider = aws.Provider("aws", region="us-east-1", allowed_account_ids=[builds.ACCOUNT], default_tags=tags)
        PodRole("runner", args(), pulumi.ResourceOptions(providers=[provider]))

    assert police.judge(rules.RULES, record(build).run) == []


@given(
    account=st.from_regex(r"\d{12}", fullmatch=True),
    region=st.sampled_from(["us-gov-west-1", "ap-southeast-5"]),
    cluster=st.from_regex(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}", fullmatch=True),
    namespace=st.from_regex(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", fullmatch=True),
    service_account=st.from_regex(r"[a-z0-9]([a-z0-9-]{0,251}[a-z0-9])?", fullmatch=True),
)
@settings(max_examples=40, deadline=None)
def test_whatever_the_names_are_the_trust_policy_fits(
    account: str, region: str, cluster: str, namespace: str, service_account: str
) -> None:
    partition = "aws-us-gov" if region.startswith("us-gov") else "aws"
    recorded = made(
        account_id=account,
        cluster_arn=f"arn:{partition}:eks:{region}:{account}:cluster/{cluster}",
        namespace=namespace,
        service_account=service_account,
    )

    assert len(recorded.one(ROLE).inputs["assumeRolePolicy"].replace(" ", "")) <= TRUST_LIMIT
