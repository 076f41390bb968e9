import base64
import json
from typing import Any

import pulumi_aws as aws
import pytest

from policies.rules._secrets import is_literal, is_secret_name, kind_of
from policies.rules.no_secret_in_plain_text import RULE
from tests.policies.judging import later, messages
from tests.policies.manifests import Manifest, deployment, release

FIX = "it must come from a Secret, Secrets Manager or a SecureString."
HF = "hf_abcdefghijklmnop"
AWS_KEY = "AKIAIOSFODNN7EXAMPLE"
ENV = "spec.template.spec.containers[0].env[0]"


def _container(**variable: Any) -> dict[str, Any]:
    return {"name": "app", "image": "app", "env": [variable]}


def test_a_token_in_user_data_is_reported_in_every_resource_that_has_some(preview: bool) -> None:
    def build() -> None:
        script = f"#!/bin/sh\nexport T={HF}\n"
        encoded = base64.b64encode(script.encode()).decode()
        aws.ec2.LaunchTemplate("template", user_data=encoded)
        aws.ec2.Instance("machine", ami="ami-1", instance_type="m7i.large", user_data=script)
        aws.ec2.Instance("coded", ami="ami-1", instance_type="m7i.large", user_data_base64=encoded)

    assert messages(RULE, build, preview=preview) == [
        f"coded: userDataBase64 holds a Hugging Face token; {FIX}",
        f"machine: userData holds a Hugging Face token; {FIX}",
        f"template: userData holds a Hugging Face token; {FIX}",
    ]


def test_a_token_written_into_a_pod_is_reported_also_in_an_init_container(preview: bool) -> None:
    def build() -> None:
        deployment(
            "app",
            _container(name="HF_TOKEN", value="s3cret-without-a-prefix"),
            initContainers=[_container(name="ANYTHING", value=HF)],
        )

    assert messages(RULE, build, preview=preview) == [
        f"app: {ENV}.value holds HF_TOKEN in plain text; {FIX}",
        f"app: spec.template.spec.initContainers[0].env[0].value holds a Hugging Face token; {FIX}",
    ]


def test_a_token_in_a_config_map_or_taken_from_one_is_reported(preview: bool) -> None:
    def build() -> None:
        data = {"HUGGING_FACE_HUB_TOKEN": "written-out", "MODEL": "llama", "config.yaml": f"token: {HF}"}
        Manifest("kubernetes:core/v1:ConfigMap", "map", data=data)
        source = {"configMapKeyRef": {"name": "map", "key": "HUGGING_FACE_HUB_TOKEN"}}
        deployment("app", _container(name="HF_TOKEN", valueFrom=source))

    assert messages(RULE, build, preview=preview) == [
        f"app: {ENV}.valueFrom takes HF_TOKEN from a ConfigMap; {FIX}",
        f"map: data.HUGGING_FACE_HUB_TOKEN holds a secret by its name; {FIX}",
        f"map: data.config.yaml holds a Hugging Face token; {FIX}",
    ]


def test_a_secret_in_helm_values_is_reported_by_name_and_by_value(preview: bool) -> None:
    def build() -> None:
        values = {
            "grafana": {"adminPassword": "letmein"},
            "extraEnv": [{"name": "HF_TOKEN", "value": HF}],
            "args": [f"--token={HF}"],
        }
        release("chart", "app", values)

    assert messages(RULE, build, preview=preview) == [
        f"chart: values.args[0] holds a Hugging Face token; {FIX}",
        f"chart: values.extraEnv[0].value holds a Hugging Face token; {FIX}",
        f"chart: values.grafana.adminPassword holds a secret by its name; {FIX}",
    ]


def test_secrets_in_parameters_functions_tasks_and_add_ons_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.ssm.Parameter("parameter", type="String", name="/prod/db_password", value="letmein")
        aws.lambda_.Function("function", role="r", environment={"variables": {"API_KEY": "letmein", "KEY": AWS_KEY}})
        task = json.dumps([{"name": "c", "environment": [{"name": "HF_TOKEN", "value": "letmein"}]}])
        aws.ecs.TaskDefinition("task", family="f", container_definitions=task)
        settings = json.dumps({"agent": {"token": "letmein"}})
        aws.eks.Addon("addon", cluster_name="c", addon_name="a", configuration_values=settings)

    assert messages(RULE, build, preview=preview) == [
        f"task: containerDefinitions[0].environment[0].value holds HF_TOKEN in plain text; {FIX}",
        f"addon: configurationValues.agent.token holds a secret by its name; {FIX}",
        f"function: environment.variables.API_KEY holds a secret by its name; {FIX}",
        f"function: environment.variables.KEY holds an AWS access key; {FIX}",
        f"parameter: value holds /prod/db_password in plain text; {FIX}",
    ]


def test_no_message_tells_the_secret(preview: bool) -> None:
    def build() -> None:
        deployment("app", _container(name="HF_TOKEN", value=HF))
        aws.ssm.Parameter("parameter", type="String", name="/prod/password", value="letmein")

    found = " ".join(messages(RULE, build, preview=preview))
    assert HF not in found
    assert "letmein" not in found


def test_places_made_for_secrets_and_references_to_them_are_quiet(preview: bool) -> None:
    def build() -> None:
        Manifest("kubernetes:core/v1:Secret", "secret", stringData={"HF_TOKEN": HF})
        aws.secretsmanager.SecretVersion("version", secret_id="s", secret_string=HF)
        aws.ssm.Parameter("parameter", type="SecureString", name="/prod/password", value="letmein")
        deployment(
            "app",
            _container(name="HF_TOKEN", valueFrom={"secretKeyRef": {"name": "hub", "key": "token"}}),
            _container(name="HF_TOKEN", value=""),
            _container(name="API_KEY", value="$(FROM_ELSEWHERE)"),
            _container(name="MAX_TOKENS", value="4096"),
            _container(name="HF_TOKEN_PATH", value="/var/run/token"),
        )
        values = {
            "existingSecret": "hub",
            "tokenSecretName": "hub",
            "passwordKey": "password",
            "tokenizer": "meta-llama/Llama-3.1-8B",
            "serviceAccountToken": True,
            "auth": {"password": ""},
            "env": [{"name": "HF_TOKEN", "valueFrom": {"secretKeyRef": {"name": "hub", "key": "token"}}}],
        }
        release("chart", "app", values)

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_value_is_quiet_until_it_is_known_and_hides_no_known_one_beside_it() -> None:
    def build() -> None:
        deployment("app", {"name": "a", "env": [{"name": "HF_TOKEN", "value": later("letmein")}, {"value": HF}]})

    second = f"app: spec.template.spec.containers[0].env[1].value holds a Hugging Face token; {FIX}"
    assert messages(RULE, build, preview=True) == [second]
    assert messages(RULE, build) == [f"app: {ENV}.value holds HF_TOKEN in plain text; {FIX}", second]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (AWS_KEY, "an AWS access key"),
        ("ASIAIOSFODNN7EXAMPLE", "an AWS access key"),
        (f"ghp_{'a1' * 18}", "a GitHub token"),
        (f"github_pat_{'a1_' * 10}", "a GitHub token"),
        (f"glpat-{'a' * 20}", "a GitLab token"),
        (f"nvapi-{'a' * 60}", "an NVIDIA API key"),
        ("xoxb-1234567890-abc", "a Slack token"),
        (f"sk-proj-{'a1' * 20}", "a model provider's API key"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "a private key"),
        ("-----BEGIN PRIVATE KEY-----", "a private key"),
        (base64.b64encode(f"export T={HF} # later".encode()).decode(), "a Hugging Face token"),
    ],
)
def test_tokens_are_known_by_their_prefix(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hf_short",
        "hf-internal-testing/tiny",
        "AKIA",
        "task-" + "a" * 40,
        "-----BEGIN CERTIFICATE-----",
        "a" * 16,
        "=" * 16,
    ],
)
def test_other_text_is_no_secret(text: str) -> None:
    assert kind_of(text) is None


@pytest.mark.parametrize(
    "name",
    [
        "HF_TOKEN",
        "token",
        "adminPassword",
        "AWS_SECRET_ACCESS_KEY",
        "OPENAI_API_KEY",
        "apiKey",
        "CLIENT_SECRET",
        "privateKey",
    ],
)
def test_names_of_secrets_are_known_in_every_spelling(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("MAX_TOKENS", "TOKENIZERS_PARALLELISM", "tokenizer", "AWS_WEB_IDENTITY_TOKEN_FILE", "passwordSecretRef"),
        *("tokenSecretName", "passwordKey", "KEY", "publicKey", "secretName", "TOKEN_TTL", "", "1"),
    ],
)
def test_names_about_secrets_are_not_their_names(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    "value", ["", " ", "true", "False", "42", "0.5", "$(TOKEN)", "${TOKEN}", "{{ .token }}", None, 1]
)
def test_flags_numbers_and_references_are_not_written_out_secrets(value: Any) -> None:
    assert not is_literal(value)
