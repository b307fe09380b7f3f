"""Where webhooks may go: only to hosts and networks that operators allowed. Pure.

`hooks.example.com` and `*.example.com` allow a host by its name, with public addresses only, so that a name that points into an internal
network leads nowhere; `10.1.0.0/16` and `127.0.0.1` allow addresses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

LONGEST = 500
# Of one part of a name (RFC 1035); no part is empty.
LONGEST_LABEL = 63


class BadReceiver(ValueError):
    """An address that no webhook is sent to; the message says why."""


@dataclass(frozen=True, slots=True)
class Receiver:
    scheme: str
    host: str
    port: int
    target: str


@dataclass(frozen=True, slots=True)
class Allowed:
    hosts: tuple[str, ...] = ()
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    def has_host(self, host: str) -> bool:
        return any(host == each or (each.startswith("*.") and host.endswith(each[1:])) for each in self.hosts)

    def has_address(self, address: str) -> bool:
        found = _plain(ip_address(address))
        return any(found in network for network in self.networks if network.version == found.version)


def allowed(names: Sequence[str]) -> Allowed:
    """Parse a list of allowed hosts and networks. Raises ValueError for an entry that is neither."""
    hosts, networks = [], []
    for name in names:
        try:
            networks.append(ip_network(name.strip("[]"), strict=False))
        except ValueError:
            host = name.lower().rstrip(".")
            if not host or not host.isascii() or set(host) & set(" /:@?#\\") or "*" in host.removeprefix("*."):
                raise ValueError(f"'{name}' is neither a host nor a network") from None
            hosts.append(host)
    return Allowed(tuple(hosts), tuple(networks))


def receiver_of(url: str) -> Receiver:
    """The parts of an address. Raises BadReceiver."""
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise BadReceiver(f"The address has at most {LONGEST} plain characters, without spaces")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadReceiver("This is no address") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadReceiver("The address begins with https:// or http:// and names a host")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise BadReceiver("The address holds no name, password or fragment")
    host = parts.hostname.lower().removesuffix(".")
    if not all(1 <= len(label) <= LONGEST_LABEL for label in host.split(".")):
        raise BadReceiver(f"Each part of the host's name has 1 to {LONGEST_LABEL} characters")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Receiver(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), target)


def check_host(receiver: Receiver, where: Allowed) -> None:
    """Raises BadReceiver where neither its name nor, for an address, its network is allowed. Names are looked up when it is sent to."""
    if where.has_host(receiver.host) or (_is_literal(receiver.host) and where.has_address(receiver.host)):
        return
    if where.networks and not _is_literal(receiver.host):
        return  # It may lie in one of the networks.
    raise BadReceiver(f"The operators of this installation allow no webhooks to {receiver.host} (CONTINUITY_WEBHOOK_HOSTS)")


def chosen(receiver: Receiver, addresses: Iterable[str], where: Allowed) -> str:
    """The address to connect to, of those that the host's name has. All of them must be allowed. Raises BadReceiver."""
    found = list(dict.fromkeys(addresses))
    for address in found:
        plain = _plain(ip_address(address))
        public = plain.is_global and not plain.is_multicast
        if not (where.has_address(address) or (public and where.has_host(receiver.host))):
            raise BadReceiver(f"{receiver.host} has an address that the operators do not allow")
    if not found:
        raise BadReceiver(f"{receiver.host} has no address")
    return found[0]


def _plain(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """An IPv4 address that is written as an IPv6 one is that IPv4 address."""
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped if mapped is not None else address


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
