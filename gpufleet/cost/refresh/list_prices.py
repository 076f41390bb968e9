"""On-demand hours of a region from the AWS price list (`pricing:GetProducts`)."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

ENDPOINT: Final = "us-east-1"
"""Where the price list of all regions is asked. https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/price-changes.html"""
SOURCE: Final = "AWS price list, pricing:GetProducts of AmazonEC2"
_TERMS: Final = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "marketoption": "OnDemand",
}
"""What the built-in prices are of, too: Linux with nothing on it, shared tenancy, an instance that runs."""


def hours(client: Any, region: str, types: frozenset[str]) -> dict[str, float]:
    """USD an hour of those of the types that the region sells, by name.

    Args:
        client: boto3's client of `pricing` at `ENDPOINT`.
        region: whose prices.
        types: the types wanted; the list is asked for as a whole, which takes fewer calls than one for each.

    Raises:
        botocore's errors: as they come.
    """
    filters = [{"Type": "TERM_MATCH", "Field": key, "Value": value} for key, value in _filters(region)]
    pages = client.get_paginator("get_products").paginate(ServiceCode="AmazonEC2", Filters=filters)
    found: dict[str, float] = {}
    for page in pages:
        for text in page.get("PriceList") or ():
            product: Mapping[str, Any] = json.loads(text) if isinstance(text, str) else text
            name = str(product.get("product", {}).get("attributes", {}).get("instanceType", ""))
            if name in types:
                for usd in _hourly(product):
                    # One type may stand in the list more than once, by operation; nobody should be told too little.
                    found[name] = max(usd, found.get(name, 0.0))
    return dict(sorted(found.items()))


def _filters(region: str) -> Iterator[tuple[str, str]]:
    yield "regionCode", region
    yield from _TERMS.items()


def _hourly(product: Mapping[str, Any]) -> Iterator[float]:
    for term in product.get("terms", {}).get("OnDemand", {}).values():
        for dimension in term.get("priceDimensions", {}).values():
            usd = dimension.get("pricePerUnit", {}).get("USD")
            # A term of zero is a placeholder of the list, not a gift.
            if dimension.get("unit") == "Hrs" and usd is not None and float(usd) > 0:
                yield float(usd)
