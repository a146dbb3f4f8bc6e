"""Dashboard and REST interface in one process: ``streamlit run server.py``.

``app.py`` stays a script of its own: it needs no FastAPI, and tests run it as it is.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.routing import Mount

from api.app import create_app, under_its_own_prefix
from api.guard import Guard
from dashboard.shared.warm_up import delete_by_age

_GUARD = Guard(
    lambda: st.get_option("server.address"), lambda: map(Path, st.get_option("secrets.files") or [])
)


@asynccontextmanager
async def _deleting_by_age(_app: st.App) -> AsyncIterator[None]:
    # The thread of the pages, before anybody opens one: programs may be the only visitors.
    delete_by_age()
    yield


app = st.App(
    "app.py",
    routes=[Mount("/api", under_its_own_prefix(create_app(_GUARD)))],
    lifespan=_deleting_by_age,
)
