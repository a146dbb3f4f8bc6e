"""The profiles, the models that they are made of, and what of them is downloaded."""

import streamlit as st

from dashboard.models.view import draw_models
from dashboard.shared.access import Role
from dashboard.shared.navigation import require_app
from dashboard.shared.problems import shown_problems
from dashboard.shared.settings import leave_audit, start_settings

require_app(Role.ADMIN)
start_settings()
leave_audit()
st.title("Models")
st.caption(
    "A profile names the models of an audit. They run on this machine: a download fetches files "
    "and sends none of your texts anywhere."
)
with shown_problems("The models cannot be listed. You can still use the embedded profile."):
    draw_models()
