"""The dashboard: ``streamlit run app.py``."""

import streamlit as st

st.set_page_config(page_title="Provenance", page_icon="🔎", layout="wide")

st.navigation(
    [
        st.Page("pages/audit.py", title="Audit", icon=":material/fact_check:", default=True),
        st.Page("pages/history.py", title="History", icon=":material/history:"),
        st.Page("pages/benchmarks.py", title="Benchmarks", icon=":material/monitoring:"),
    ]
).run()
