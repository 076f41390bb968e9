from policies.rules.k8s_images_pinned import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import deployment


def test_an_image_that_moves_is_reported(preview: bool) -> None:
    def build() -> None:
        deployment("d", {"name": "c", "image": "nvcr.io/i"}, {"name": "e", "image": "nvcr.io:443/i:latest"})

    assert messages(RULE, build, preview=preview) == [
        "d: spec.template.spec.containers[0].image is nvcr.io/i, whose newest is taken; it must have a "
        "version or a digest.",
        "d: spec.template.spec.containers[1].image is nvcr.io:443/i:latest, which moves; it must have a "
        "version or a digest.",
    ]


def test_a_version_and_a_digest_are_quiet(preview: bool) -> None:
    def build() -> None:
        deployment(
            "d",
            {"name": "c", "image": "nvcr.io:443/i:1.2"},
            {
                "name": "e",
                "image": "nvcr.io/i:latest@sha256:0000000000000000000000000000000000000000000000000000000000000000",
            },
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_image_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        deployment("d", {"name": "c", "image": later("nvcr.io/i")})

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "d: spec.template.spec.containers[0].image is nvcr.io/i, whose newest is taken; it must have a "
        "version or a digest.",
    ]
