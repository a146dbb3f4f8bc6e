"""One property on inputs that are chosen by the code that they reach, by Atheris.

``python -m benchmarks.reliability.guided NAME FOLDER INPUTS SEED`` tries as many inputs. What
reached new code stays in ``FOLDER``, from which the next run goes on, and so does the count.
Atheris has no wheel for every system, so that no requirement names it:
``pip install atheris``.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["provenance_core", "storage"]):
    from tests.fuzz.properties import PROPERTIES

COUNT = "count.json"
# Inputs between two writes of the count.
_OFTEN = 25
_SEEDS, _SEED_BYTES, _MOST_BYTES = 24, 1500, 4096


def main() -> None:
    """Try inputs until the count is reached, or one fails: a status other than 0."""
    name, folder, inputs, seed = sys.argv[1:]
    corpus = Path(folder) / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    if not any(corpus.iterdir()):
        # Hypothesis makes no input of a few bytes, from which a fuzzer starts by itself.
        chance = random.Random(int(seed))
        for number in range(_SEEDS):
            (corpus / f"{number}").write_bytes(chance.randbytes(_SEED_BYTES))
    tried = next(each for each in PROPERTIES if each.name == name)
    try_bytes = tried.try_bytes
    count = Path(folder) / COUNT
    before = json.loads(count.read_text()) if count.is_file() else 0

    def one(data: bytes) -> None:
        try_bytes(data)
        if tried.tried.inputs % _OFTEN == 0:
            count.write_text(json.dumps(before + tried.tried.inputs))

    options = [f"-runs={inputs}", f"-seed={seed}", f"-max_len={_MOST_BYTES}", "-len_control=0"]
    found = f"-artifact_prefix={folder}/"
    atheris.Setup([sys.argv[0], *options, found, "-rss_limit_mb=4096", str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
