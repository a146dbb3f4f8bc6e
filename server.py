"""Dashboard and REST interface in one process: ``streamlit run server.py``.

``app.py`` stays a script of its own: it needs no FastAPI, and tests run it as it is.
"""

from pathlib import Path

import streamlit as st
from starlette.routing import Mount

from api.app import create_app, under_its_own_prefix
from api.guard import Guard

_GUARD = Guard(
    lambda: st.get_option("server.address"),
    lambda: map(Path, st.get_option("secrets.files") or []),
)
app = st.App("app.py", routes=[Mount("/api", under_its_own_prefix(create_app(_GUARD)))])
