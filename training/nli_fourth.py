"""Builds the fourth stage's NLI file: all that is left of the sets that people wrote.

The earlier stages took samples of them and saw far more pairs that programs made. The dev rows,
the calibration rows and the held-out documents stay unseen.
"""

from __future__ import annotations

import random
from itertools import chain
from pathlib import Path

from training.contamination import Evaluated
from training.nli_data import SEED
from training.nli_second import made_pairs, public_pairs, unseen_premises, write_clean
from training.nli_third import rewritten_pairs, statements

NLI_SETS = {
    "mnli_ni.train": None,
    "mnli_olora.train": None,
    "taxinli_mnli.dev": None,
    "lingnli.train": None,
    "snli_ni.train": 12000,
    "cad_snli.train": None,
    "conjnli_adv.train": 3000,
    "vitaminc_real.test": 18000,
    "vitaminc_synthetic.test": 4000,
    "fever_covidfact.dev": 6000,
    "paws_ni.train": None,
    "foolmetwice.dev": None,
    "foolmetwice.test": None,
    "rte.train": None,
    "attributionbench.dev": None,
    "attributionbench.test": None,
    "healthver.dev": None,
    "climatefever.full": None,
    "checkcovid.full": None,
    "covidfact.train": None,
    "scifact_covidfact.train": None,
    "factcg_cg2c_doc.train": None,
    "negnli_mnli.full": None,
    "negnli_snli.full": None,
    "monli.train": None,
    "monli.train2": None,
    "help_and.train": 1500,
    "mpe.train": 3000,
}
REWRITTEN = 24000
STATEMENTS = 6000


def build(data: Path, out: Path) -> None:
    """Write ``out/nli_fourth_train.jsonl``; needs the files of the earlier stages."""
    rng = random.Random(SEED + 5)
    pairs = chain(
        public_pairs(data, rng, unseen_premises(out), NLI_SETS),
        made_pairs(data, rng, rewritten_pairs, REWRITTEN),
        statements(data, rng)[:STATEMENTS],
    )
    write_clean(out / "nli_fourth_train.jsonl", pairs, Evaluated.read(data / "eval"), rng)
