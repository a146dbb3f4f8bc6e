"""Where the training scripts find the data: one option for all of them."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--data``, the folder with ``train`` and ``eval`` in it."""
    parser.add_argument(
        "--data",
        type=Path,
        default=Path("../shared/data"),
        help="folder with train and eval in it (default: %(default)s)",
    )
