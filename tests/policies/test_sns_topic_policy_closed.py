import json

import pulumi_aws as aws

from policies.rules.sns_topic_policy_closed import RULE
from tests.policies.judging import later, messages


def test_strangers_and_plain_http_are_reported(preview: bool) -> None:
    def build() -> None:
        aws.sns.TopicPolicy(
            "open",
            arn="q",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {"Sid": "Send", "Effect": "Allow", "Principal": "*", "Action": "sns:*", "Resource": "*"}
                    ],
                }
            ),
        )
        aws.sns.TopicPolicy("odd", arn="q", policy="none")

    assert messages(RULE, build, preview=preview) == [
        "odd: policy cannot be read as a policy document; it must be JSON with a Statement.",
        "open: policy does not refuse plain HTTP; it must deny everyone everything where aws:SecureTransport is false.",
        "open: policy, Send: Allow for Principal * without a condition on who calls; it must name the "
        "principals, or demand aws:SourceArn or aws:PrincipalOrgID.",
    ]


def test_named_senders_over_tls_are_quiet(preview: bool) -> None:
    def build() -> None:
        aws.sns.TopicPolicy(
            "closed",
            arn="q",
            policy=json.dumps(
                {
                    "Version": "2012-10-17",
                    "Statement": [
                        {
                            "Effect": "Allow",
                            "Principal": {"Service": "events.amazonaws.com"},
                            "Action": "sns:Send",
                            "Resource": "*",
                        },
                        {
                            "Effect": "Deny",
                            "Principal": "*",
                            "Action": "sns:*",
                            "Resource": "*",
                            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
                        },
                    ],
                }
            ),
        )

    assert messages(RULE, build, preview=preview) == []


def test_an_unknown_policy_is_quiet_until_it_is_known() -> None:
    def build() -> None:
        aws.sns.TopicPolicy(
            "open",
            arn="q",
            policy=later(
                json.dumps(
                    {
                        "Version": "2012-10-17",
                        "Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sns:*", "Resource": "*"}],
                    }
                )
            ),
        )

    assert messages(RULE, build, preview=True) == []
    assert messages(RULE, build) == [
        "open: policy does not refuse plain HTTP; it must deny everyone everything where aws:SecureTransport is false.",
        "open: policy, statement 1: Allow for Principal * without a condition on who calls; it must name "
        "the principals, or demand aws:SourceArn or aws:PrincipalOrgID.",
    ]
