"""A team's namespace and what runs in it, on a cluster of which only the kubeconfig is known.

`replicas`, `mode`, `binding` and `size` in the settings change it; `defect` makes it wrong in one way.
"""

import json

import pulumi
import pulumi_kubernetes as k8s

settings = pulumi.Config("lab").require_object("settings")
defect = settings.get("defect")

cluster = {"server": "https://lab.gr7.eu-central-1.eks.amazonaws.com", "certificate-authority-data": "Q0E="}
token = {"apiVersion": "client.authentication.k8s.io/v1beta1", "command": "aws", "args": ["eks", "get-token"]}
kubeconfig = {
    "apiVersion": "v1",
    "kind": "Config",
    "clusters": [{"name": "eks", "cluster": cluster}],
    "users": [{"name": "aws", "user": {"exec": token}}],
    "contexts": [{"name": "aws", "context": {"cluster": "eks", "user": "aws"}}],
    "current-context": "aws",
}
provider = k8s.Provider("lab", kubeconfig=json.dumps(kubeconfig))
made_here = pulumi.ResourceOptions(provider=provider)

team = k8s.core.v1.Namespace(
    "team",
    metadata={
        "name": "vision",
        "labels": {
            "pod-security.kubernetes.io/enforce": "restricted",
            "pod-security.kubernetes.io/enforce-version": "latest",
        },
    },
    opts=made_here,
)
namespace = team.metadata.name
quota = k8s.core.v1.ResourceQuota(
    "team",
    metadata={"name": "team", "namespace": namespace},
    spec={"hard": {"pods": "6", "requests.nvidia.com/gpu": "8", "requests.cpu": "16", "limits.memory": "64Gi"}},
    opts=made_here,
)
# What is limited must be asked for; the quota is counted before anything that it counts is made.
inside = pulumi.ResourceOptions(provider=provider, depends_on=[quota])
k8s.core.v1.LimitRange(
    "team",
    metadata={"namespace": namespace},
    spec={"limits": [{"type": "Container", "defaultRequest": {"cpu": "500m"}, "default": {"memory": "1Gi"}}]},
    opts=made_here,
)
k8s.networking.v1.NetworkPolicy(
    "closed",
    metadata={"namespace": namespace},
    spec={"pod_selector": {}, "policy_types": ["Ingress", "Egress"]},
    opts=made_here,
)
account = k8s.core.v1.ServiceAccount("runner", metadata={"namespace": namespace}, opts=made_here)
secret = k8s.core.v1.Secret(
    "token",
    metadata={"namespace": namespace},
    string_data={"token": pulumi.Output.secret("s3cr3t")},
    opts=made_here,
)
mode = k8s.core.v1.ConfigMap(
    "mode", metadata={"namespace": namespace}, data={"mode": settings.get("mode", "slow")}, opts=made_here
)

k8s.storage.v1.StorageClass(
    "fast",
    metadata={"name": "fast"},
    provisioner="ebs.csi.aws.com",
    volume_binding_mode=settings.get("binding", "Immediate"),
    opts=made_here,
)

closed = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def pod(image: str, gpus: int, *, privileged: bool = False) -> dict[str, object]:
    """A pod template that the namespace's standard lets in."""
    return {
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "serviceAccountName": account.metadata.name,
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
        "containers": [
            {
                "name": "main",
                "image": image,
                "securityContext": {"privileged": True} if privileged else closed,
                "envFrom": [{"configMapRef": {"name": mode.metadata.name}}],
                "resources": {"limits": {"nvidia.com/gpu": gpus, "memory": "2048Mi"}},
            }
        ],
    }


labels = {"app.kubernetes.io/name": "server"}
server = k8s.apps.v1.Deployment(
    "server",
    metadata={"namespace": namespace},
    spec={
        "replicas": settings.get("replicas", 1),
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod("registry.example.com/server:1", 1)},
    },
    opts=inside,
)
service = k8s.core.v1.Service(
    "server",
    metadata={"namespace": namespace},
    spec={"selector": labels, "ports": [{"port": 80, "targetPort": 8080}]},
    opts=made_here,
)
k8s.batch.v1.Job(
    "train",
    metadata={"name": "train", "namespace": namespace},
    spec={
        "backoffLimit": 0,
        "template": {"spec": {**pod("registry.example.com/train:1", 4), "restartPolicy": "Never"}},
    },
    opts=inside,
)
if defect in ("privileged", "quota"):
    wrong = pod("registry.example.com/wrong:1", 9, privileged=defect == "privileged")
    k8s.core.v1.Pod("wrong", metadata={"name": "wrong", "namespace": namespace}, spec=wrong, opts=inside)

teams = k8s.apiextensions.v1.CustomResourceDefinition(
    "teams",
    metadata={"name": "teams.lab.dev"},
    spec={
        "group": "lab.dev",
        "scope": "Namespaced",
        "names": {"kind": "Team", "plural": "teams", "singular": "team", "listKind": "TeamList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {
                                    "size": {"type": "integer", "minimum": 1},
                                    "tier": {"type": "string", "default": "bronze"},
                                },
                            }
                        },
                    }
                },
            }
        ],
    },
    opts=made_here,
)
size = "four" if defect == "wrong-type" else settings.get("size", 4)
k8s.apiextensions.CustomResource(
    "vision",
    api_version="lab.dev/v1",
    kind="Team",
    metadata={"namespace": namespace},
    spec={"size": size, **({"sise": 4} if defect == "unknown-field" else {})},
    opts=pulumi.ResourceOptions(provider=provider, depends_on=[teams]),
)

karpenter = k8s.helm.v3.Release(
    "karpenter",
    chart="oci://public.ecr.aws/karpenter/karpenter",
    version="1.14.1",
    namespace="kube-system",
    values={"settings": {"clusterName": "lab"}},
    opts=made_here,
)
k8s.apiextensions.CustomResource(
    "gpu",
    api_version="karpenter.sh/v1",
    kind="NodePool",
    metadata={"name": "gpu"},
    spec={
        "template": {
            "spec": {
                "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "gpu"},
                "requirements": [{"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]}],
            }
        },
        "limits": {"nvidia.com/gpu": 8},
    },
    opts=pulumi.ResourceOptions(provider=provider, depends_on=[karpenter]),
)
chart = k8s.helm.v4.Chart("kueue", chart="kueue", namespace="kube-system", values={"a": 1}, opts=made_here)
k8s.apiextensions.CustomResource(
    "queue",
    api_version="kueue.x-k8s.io/v1beta2",
    kind="LocalQueue",
    metadata={"namespace": namespace},
    spec={"clusterQueue": "gpu"},
    opts=pulumi.ResourceOptions(provider=provider, depends_on=[chart]),
)
# A field of an object that the cluster brings along.
k8s.core.v1.ServiceAccountPatch(
    "default",
    metadata={"name": "default", "namespace": namespace},
    automount_service_account_token=False,
    opts=made_here,
)
if defect == "rendered":
    k8s.yaml.v2.ConfigGroup("rendered", yaml="apiVersion: v1", opts=made_here)

pulumi.export("cluster_ip", service.spec.cluster_ip)
pulumi.export("team_uid", team.metadata.uid)
pulumi.export("server", server.metadata.name)
pulumi.export("secret_data", secret.data)
