"""Which addresses may be answered at without sign-in."""

from __future__ import annotations

import ipaddress
import os

from provenance_core.environment import Setting

OPEN_TO_NETWORK = Setting(
    "PROVENANCE_OPEN_TO_NETWORK",
    "1 to answer other machines without sign-in: whoever reaches the port then reads and deletes "
    "everything",
    "0",
)


def is_open() -> bool:
    """Whether the environment allows other machines without sign-in."""
    return OPEN_TO_NETWORK.value(os.environ) == "1"


def open_address(address: str | None, signs_in: bool, option: str = "--server.address") -> str:
    """Why the app may not answer at an address, with a hint; "" if it may."""
    if signs_in or is_open() or is_loopback(address):
        return ""
    return (
        f"It answers at {address or 'every address of this machine'} without sign-in. Start it "
        f"with {option} 127.0.0.1, turn on sign-in by [auth] in .streamlit/secrets.toml, or "
        f"set {OPEN_TO_NETWORK.variable}=1 where a proxy signs people in."
    )


def is_loopback(address: str | None) -> bool:
    """Whether only this machine reaches ``address``: ``localhost``, or loopback of IPv4 or IPv6."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False
