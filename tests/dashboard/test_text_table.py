"""Tables of text on the pages."""

import pandas as pd

from dashboard.shared.text_table import frame_table


def test_a_number_that_rounds_to_zero_has_no_sign():
    shown = frame_table(pd.DataFrame({"low": [-0.00004], "high": [-0.0004], "n": [-0.0006]}), 3)
    assert "-0.000" not in shown and shown.count("0.000") == 2
    assert "-0.001" in shown


def test_a_cell_without_anything_is_not_shown_where_the_window_is_narrow():
    frame = pd.DataFrame({"reviewer": ["ann", "bob"], "n": [0, 3], "note": ["", "few"]})
    shown = frame_table(frame, 3)
    assert '<td data-name="note" class="pv-nothing">–</td>' in shown
    assert '<td data-name="note">few</td>' in shown and '<td data-name="n">0</td>' in shown
    narrow = shown.split("@media (max-width:640px){")[1].split("</style>")[0]
    assert ".pv-table td+td.pv-nothing{display:none}" in narrow
