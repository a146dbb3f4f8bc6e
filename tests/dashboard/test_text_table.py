"""Tables of text on the pages."""

import pandas as pd

from dashboard.shared.text_table import frame_table


def test_a_number_that_rounds_to_zero_has_no_sign():
    shown = frame_table(pd.DataFrame({"low": [-0.00004], "high": [-0.0004], "n": [-0.0006]}), 3)
    assert "-0.000" not in shown and shown.count("0.000") == 2
    assert "-0.001" in shown
