"""What a person does before `pulumi up`: what this plan asks of the account, the calendar and the mailbox."""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpufleet.facts import instances, quotas
from gpufleet.facts.quotas import Quota
from gpufleet.report import elastic, placed
from gpufleet.report.estate import Entry, Estate, as_list, mapping, number, text, texts


@dataclass(frozen=True, kw_only=True)
class Task:
    """One thing to do, why, and the command where there is one."""

    title: str
    why: str
    command: str = ""
    details: tuple[str, ...] = ()


def tasks(estate: Estate, violations: Sequence[Mapping[str, Any]], *, stack: str) -> list[Task]:
    """The tasks in the order in which they are best done."""
    return [
        *_policies(violations, stack),
        Task(
            title="Ask the account",
            why="Credentials, quotas, offers of each zone, reservations, images, names: read only, and it says what "
            "would fail at hour two.",
            command=f"gpufleet preflight {shlex.quote(stack)}",
        ),
        *_quotas(estate),
        *_reservations(estate),
        *_service_roles(estate),
        *_budgets(estate),
        *_mailboxes(estate),
        *_clusters(estate),
        Task(
            title="Deploy with the same rules",
            why="The policy pack then judges in the engine what it judged here.",
            command=f"pulumi up --stack {shlex.quote(stack)} --policy-pack policies",
        ),
    ]


def _policies(violations: Sequence[Mapping[str, Any]], stack: str) -> Iterator[Task]:
    broken = [v for v in violations if v["level"] in ("mandatory", "remediate") and not v.get("waiver")]
    if broken:
        count = len(broken)
        yield Task(
            title=f"Mend {count} mandatory violation{'s' * (count > 1)}",
            why="The policy pack refuses the update as it stands.",
            command=f"gpufleet plan {shlex.quote(stack)}",
        )


def _quotas(estate: Estate) -> Iterator[Task]:
    """The vCPUs that every pool at its ceiling, in its largest type, counts against each quota."""
    wanted: Counter[tuple[str, Quota]] = Counter()
    for region, types, bought, ceiling in _fleets(estate):
        largest: dict[Quota, int] = {}
        for name in types:
            found, quota = instances.find(name), quotas.vcpus(name, bought)
            if found is not None and found.vcpus and quota is not None:
                largest[quota] = max(largest.get(quota, 0), found.vcpus)
        for quota, vcpus in largest.items():
            wanted[region, quota] += vcpus * ceiling
    if wanted:
        yield Task(
            title="Have the quotas for every pool at its ceiling",
            why="A new account often has 0 for GPU families, and a raise takes days; what runs already counts too.",
            details=tuple(
                f"{region}: {vcpus:,} vCPUs of {quota.name}" + (f" ({quota.code})" if quota.code else "")
                for (region, quota), vcpus in sorted(wanted.items(), key=lambda item: (item[0][0], item[0][1].name))
            ),
            command="aws service-quotas list-service-quotas --service-code ec2 --region REGION",
        )


def _fleets(estate: Estate) -> Iterator[tuple[str, Sequence[str], str, int]]:
    """Region, types, purchase and ceiling of every pool whose instances count against a quota."""
    for group in estate.of("aws:eks/nodeGroup:NodeGroup"):
        bought = placed.purchase(group)
        if bought != "capacity-block":  # its instances count against no quota
            ceiling = number(mapping(group["inputs"].get("scalingConfig")).get("maxSize"))
            yield estate.region(group), placed.pool_types(estate, group), bought, ceiling
    for pool in elastic.pools(estate):
        region = pool.region or next((estate.region(vpc) for vpc in estate.of("aws:ec2/vpc:Vpc")), "")
        for bought in pool.purchases or ("on-demand",):
            if bought in ("on-demand", "spot"):
                yield region, pool.types, bought, pool.most or 0


def _reservations(estate: Estate) -> Iterator[Task]:
    for template in estate.of("aws:ec2/launchTemplate:LaunchTemplate"):
        named = placed.reservation(template)
        if named and estate.find(named) is None:  # what the plan makes itself has a made-up id until then
            yield Task(
                title=f"Have reservation {named} active",
                why=f"{template['name']} starts nodes in it and nowhere else: check state, type, zone, count and end.",
                command=f"aws ec2 describe-capacity-reservations --capacity-reservation-ids {named} "
                f"--region {estate.region(template)}"
                if named.startswith("cr-")
                else "",
            )


def _service_roles(estate: Estate) -> Iterator[Task]:
    made = sorted(
        text(r["inputs"].get("awsServiceName")) for r in estate.of("aws:iam/serviceLinkedRole:ServiceLinkedRole")
    )
    if made:
        yield Task(
            title=f"See that the account lacks these service-linked roles: {', '.join(made)}",
            why="This stack makes them, and AWS refuses to make one twice; adopt those that are there.",
            command="aws iam list-roles --path-prefix /aws-service-role/ --query Roles[].RoleName",
        )
    adopted = sorted(
        {
            service
            for roles in estate.of("gpufleet:index:ServiceLinkedRoles")
            for service in texts(roles["outputs"].get("adopted"))
        }
    )
    if adopted:
        yield Task(
            title=f"See that the account has these service-linked roles: {', '.join(adopted)}",
            why="This stack counts on them and does not make them.",
            command="aws iam list-roles --path-prefix /aws-service-role/ --query Roles[].RoleName",
        )


def _budgets(estate: Estate) -> Iterator[Task]:
    for budget in estate.of("aws:budgets/budget:Budget"):
        inputs = budget["inputs"]
        notifications = as_list(inputs.get("notifications"))
        mail = sorted({a for n in notifications for a in texts(mapping(n).get("subscriberEmailAddresses"))})
        if mail:
            yield Task(
                title=f"Ask that somebody reads {', '.join(mail)}",
                why=f"Budget {text(inputs.get('name')) or budget['name']} warns there and stops nothing.",
            )
        tags = [
            value.split("$")[0].removeprefix("user:")
            for cost_filter in as_list(inputs.get("costFilters"))
            if mapping(cost_filter).get("name") == "TagKeyValue"
            for value in texts(mapping(cost_filter).get("values"))
        ]
        for tag in sorted(set(tags)):
            yield Task(
                title=f"Activate the cost allocation tag {tag}",
                why="The budget counts by this tag; until it is active in Billing it counts nothing.",
                command="aws ce update-cost-allocation-tags-status --cost-allocation-tags-status "
                f"{shlex.quote(f'TagKey={tag},Status=Active')}",
            )


def _mailboxes(estate: Estate) -> Iterator[Task]:
    mail = sorted(
        text(subscription["inputs"].get("endpoint"))
        for subscription in estate.of("aws:sns/topicSubscription:TopicSubscription")
        if subscription["inputs"].get("protocol") in ("email", "email-json")
    )
    if mail:
        yield Task(
            title=f"Confirm the subscription mail at {', '.join(mail)}",
            why="Until the link in it is followed, no alarm arrives.",
        )


def _clusters(estate: Estate) -> Iterator[Task]:
    for cluster in estate.of("aws:eks/cluster:Cluster"):
        config = mapping(cluster["inputs"].get("vpcConfig"))
        name = text(cluster["inputs"].get("name")) or cluster["name"]
        if config.get("endpointPublicAccess") is False:
            yield Task(
                title=f"Have a way into the network of {name}",
                why="Its API answers inside the VPC only: run kubectl, and whatever installs into the cluster, from a "
                "VPN, a bastion or a runner in there.",
            )
        else:
            allowed = texts(config.get("publicAccessCidrs")) or ["0.0.0.0/0"]
            yield Task(
                title=f"See that {', '.join(allowed)} is yours",
                why=f"From there the API of {name} can be reached over the internet.",
            )
        if (deadline := _deletion(cluster)) is not None:
            yield deadline


def _deletion(cluster: Entry) -> Task | None:
    if cluster["inputs"].get("deletionProtection") is not True:
        return None
    name = text(cluster["inputs"].get("name")) or cluster["name"]
    return Task(
        title=f"Know that {name} is protected from deletion",
        why="Destroying the stack is refused until the protection is lifted on purpose.",
    )
