from policies.rules.k8s_gpu_job_has_deadline import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest


def test_a_gpu_job_without_an_end_is_reported(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}]
                    }
                }
            },
        )
        Manifest(
            "kubernetes:batch/v1:CronJob",
            "cron",
            spec={
                "jobTemplate": {
                    "spec": {
                        "activeDeadlineSeconds": 60,
                        "template": {
                            "spec": {
                                "containers": [
                                    {"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}
                                ]
                            }
                        },
                    }
                }
            },
        )

    assert messages(RULE, build, preview=preview) == [
        "cron: spec.jobTemplate.spec asks for GPUs and has no ttlSecondsAfterFinished; both must be there.",
        "job: spec asks for GPUs and has no activeDeadlineSeconds and no ttlSecondsAfterFinished; both must be there.",
    ]


def test_a_job_with_an_end_and_one_without_gpus_are_quiet(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "activeDeadlineSeconds": 60,
                "ttlSecondsAfterFinished": 60,
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}]
                    }
                },
            },
        )
        Manifest(
            "kubernetes:batch/v1:Job",
            "cpu",
            spec={"template": {"spec": {"containers": [{"name": "c", "image": "i:1"}]}}},
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_deadline_counts_as_one(preview: bool) -> None:
    def build() -> None:
        Manifest(
            "kubernetes:batch/v1:Job",
            "job",
            spec={
                "activeDeadlineSeconds": later(60),
                "ttlSecondsAfterFinished": 60,
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "image": "i:1", "resources": {"limits": {"nvidia.com/gpu": 8}}}]
                    }
                },
            },
        )

    assert messages(RULE, build, preview=preview) == []
