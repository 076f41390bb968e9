"""Address ranges that are the internet."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, Final

from ._reading import UNKNOWN

WIDEST: Final = {4: 8, 6: 16}
"""Shortest prefix of a public range that is still somebody's own: a wider one is the internet, or a good part of it
(`0.0.0.0/1` and `128.0.0.0/1` together are all of it)."""

_PRIVATE: Final = tuple(map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")))


def is_open(cidr: Any) -> bool:
    """Tell whether a range certainly lets the internet in. What is no CIDR at all is not taken for a narrow one."""
    if cidr is UNKNOWN:
        return False
    try:
        network = ip_network(str(cidr).strip(), strict=False)
    except ValueError:
        return True
    return network.prefixlen < WIDEST[network.version] and not any(_within(network, private) for private in _PRIVATE)


def _within(network: IPv4Network | IPv6Network, other: IPv4Network | IPv6Network) -> bool:
    if isinstance(network, IPv4Network):
        return isinstance(other, IPv4Network) and network.subnet_of(other)
    return isinstance(other, IPv6Network) and network.subnet_of(other)
