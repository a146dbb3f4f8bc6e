"""The dashboard: ``streamlit run app.py``."""

import streamlit as st

from dashboard.shared.navigation import run_app

st.set_page_config(page_title="Provenance", page_icon="🔎", layout="wide")
run_app()
