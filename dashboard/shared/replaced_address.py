"""A change of the settings is no step of the browser's history: Back leads to the page before.

Streamlit adds an entry for each change of the address by the server. One that changes nothing but
settings takes the place of the entry before it.
"""

from __future__ import annotations

from dashboard.shared.components import component


def replace_in_address(*names: str) -> None:
    """Have a change of these query parameters alone replace the address. The same wherever it is
    drawn on a page."""
    component(__file__, "replaced_address")(
        data={"names": list(names)}, key="replaced_address", height=1
    )
