import pulumi_aws as aws

from policies.rules.eks_access_policy_scoped import RULE
from tests.policies.judging import later, messages


def test_a_team_in_the_whole_cluster_is_reported(preview: bool) -> None:
    def build() -> None:
        aws.eks.AccessPolicyAssociation(
            "edit",
            cluster_name="c",
            principal_arn="p",
            policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy",
            access_scope={"type": "cluster"},
        )
        aws.eks.AccessPolicyAssociation(
            "admin",
            cluster_name="c",
            principal_arn="p",
            policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
            access_scope={"type": "namespace", "namespaces": ["vision"]},
        )
        aws.eks.AccessPolicyAssociation(
            "system",
            cluster_name="c",
            principal_arn="p",
            policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSAdminPolicy",
            access_scope={"type": "namespace", "namespaces": ["kube-system"]},
        )
        aws.eks.AccessEntry("masters", cluster_name="c", principal_arn="p", kubernetes_groups=["system:masters"])

    assert messages(RULE, build, preview=preview) == [
        "masters: kubernetesGroups has system:masters, which passes every check; it must be a group of your own.",
        "admin: AmazonEKSClusterAdminPolicy in a namespace; for a team's namespaces it must be AmazonEKSAdminPolicy.",
        "edit: AmazonEKSEditPolicy in the whole cluster; accessScope must be {type: namespace, namespaces: [...]}.",
        "system: AmazonEKSAdminPolicy in kube-system, where the cluster's own pods run; it must be a team's namespace.",
    ]


def test_a_team_in_its_namespace_and_viewers_everywhere_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.eks.AccessPolicyAssociation(
            "edit",
            cluster_name="c",
            principal_arn="p",
            policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy",
            access_scope={"type": "namespace", "namespaces": ["vision"]},
        )
        aws.eks.AccessPolicyAssociation(
            "admin",
            cluster_name="c",
            principal_arn="p",
            policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
            access_scope={"type": "cluster"},
        )
        aws.eks.AccessPolicyAssociation(
            "view",
            cluster_name="c",
            principal_arn="p",
            policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSViewPolicy",
            access_scope={"type": "cluster"},
        )
        aws.eks.AccessEntry("team", cluster_name="c", principal_arn="p", kubernetes_groups=["vision:admin"])

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_scope_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.eks.AccessPolicyAssociation(
            "edit",
            cluster_name="c",
            principal_arn="p",
            policy_arn="arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy",
            access_scope={"type": later("cluster")},
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "edit: AmazonEKSEditPolicy in the whole cluster; accessScope must be {type: namespace, namespaces: [...]}.",
    ]
