from policies.rules.k8s_images_from_known_registries import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest, deployment


def test_an_image_of_a_strange_registry_is_reported(preview: bool) -> None:
    def build() -> None:
        deployment("d", {"name": "c", "image": "evil.example.com/i:1"})
        deployment("hub", {"name": "c", "image": "nginx:1"})
        Manifest(
            "kubernetes:helm.sh/v3:Release", "r", chart="c", values={"image": {"repository": "evil.example.com/i"}}
        )

    assert messages(RULE, build, preview=preview) == [
        "d: spec.template.spec.containers[0].image comes from evil.example.com; it must come from an ECR "
        "registry or one of public.ecr.aws, registry.k8s.io, nvcr.io, quay.io, ghcr.io.",
        "hub: spec.template.spec.containers[0].image comes from docker.io; it must come from an ECR "
        "registry or one of public.ecr.aws, registry.k8s.io, nvcr.io, quay.io, ghcr.io.",
        "r: values.image.repository comes from evil.example.com; it must come from an ECR registry or "
        "one of public.ecr.aws, registry.k8s.io, nvcr.io, quay.io, ghcr.io.",
    ]


def test_known_registries_and_ecr_are_quiet(preview: bool) -> None:
    def build() -> None:
        deployment(
            "d",
            {"name": "c", "image": "nvcr.io/nvidia/pytorch:25.01"},
            {"name": "e", "image": "111122223333.dkr.ecr.us-east-1.amazonaws.com/i:1"},
        )
        Manifest(
            "kubernetes:helm.sh/v3:Release", "r", chart="c", values={"image": {"repository": "karpenter/controller"}}
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_image_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        deployment("d", {"name": "c", "image": later("evil.example.com/i:1")})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "d: spec.template.spec.containers[0].image comes from evil.example.com; it must come from an ECR "
        "registry or one of public.ecr.aws, registry.k8s.io, nvcr.io, quay.io, ghcr.io.",
    ]
