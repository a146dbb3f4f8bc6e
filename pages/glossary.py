"""What the words of the pages mean."""

import streamlit as st

from dashboard.glossary.view import draw_glossary
from dashboard.shared.navigation import require_app

require_app()
st.title("Glossary")
draw_glossary()
