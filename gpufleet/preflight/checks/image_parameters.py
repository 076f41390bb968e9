"""Images of the nodes: the SSM parameters that tell them, or the images themselves."""

from collections.abc import Iterator
from typing import Any

from gpufleet.preflight.results import CouldNotAsk, Result, failed, passed
from gpufleet.preflight.site import Site

NAME = "images"
PERMISSIONS = ("ssm:GetParameter", "ec2:DescribeImages")

_ABSENT = ("InvalidAMIID.NotFound", "InvalidAMIID.Unavailable", "InvalidAMIID.Malformed")


def check(site: Site) -> Iterator[Result]:
    """Each image once, with the pools that start from it."""
    wanted: dict[str, list[str]] = {}
    for pool in site.pools:
        for image in pool.images:
            wanted.setdefault(image, []).append(pool.name)
    for image, pools in sorted(wanted.items()):
        of_what = f"{image} (pool {', '.join(pools)})"
        try:
            yield _image(site, image, of_what) if image.startswith("ami-") else _parameter(site, image, of_what)
        except CouldNotAsk as error:
            yield error.result(f"whether {of_what} exists")


def _parameter(site: Site, name: str, of_what: str) -> Result:
    client = site.aws.client("ssm")
    found = site.aws.ask(PERMISSIONS[0], lambda: client.get_parameter(Name=name), "ParameterNotFound")
    if found is None:
        return failed(
            f"{of_what} is not published in {site.region}",
            "take an AMI type, a Kubernetes version or a release that AWS publishes: "
            f"aws ssm get-parameters-by-path --region {site.region} --recursive --path {_folder(name)}",
            parameter=name,
        )
    return passed(f"{of_what} is {found['Parameter']['Value']}", parameter=name, image=found["Parameter"]["Value"])


def _folder(name: str) -> str:
    """The part of a parameter's path that is the same for all of its kind: `/aws/service/eks/optimized-ami/1.35`."""
    return "/".join(name.split("/")[: 6 if "/eks/" in name else 5])


def _image(site: Site, image: str, of_what: str) -> Result:
    client = site.aws.client("ec2")
    answer = site.aws.ask(PERMISSIONS[1], lambda: client.describe_images(ImageIds=[image]), *_ABSENT)
    found: Any = next(iter(answer["Images"]), None) if answer else None
    if found is None:
        return failed(
            f"{of_what} does not exist in {site.region}, or is not shared with account {site.account_id}",
            f"copy it to {site.region}, share it with the account, or name another image",
            image=image,
        )
    if found["State"] != "available":
        return failed(f"{of_what} is {found['State']}", "wait until it is available, or name another", image=image)
    ends = str(found.get("DeprecationTime", ""))
    return passed(f"{of_what} is available", f"it is deprecated from {ends[:10]} on" if ends else "", image=image)
