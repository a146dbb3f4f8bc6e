"""Standalone HTML reports, and the words and marks that they share with the pages. No Streamlit."""
