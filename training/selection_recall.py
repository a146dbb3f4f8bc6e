"""How often selection keeps the chunk that a sentence of the answer comes from.

``python -m training.selection_recall`` joins sentences of three of eight passages of an article
to an answer without a query, and prints the share of those three that TopP keeps, when relevance
is asked by the whole answer and when it is asked by each of its sentences.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict

from provenance_core import Parameters, Provenance
from provenance_core.scoring.selection import relevance_probabilities, select
from provenance_core.text.splitting import sentence_bounds
from training.data_folder import add_data_option
from training.nli_data import rows

SET = "train/relevance/squadshifts_new_wiki.full.jsonl.gz"
ARTICLES, PASSAGES, SENTENCES, WORDS = 60, 8, 3, 60


def main() -> None:
    """Runs the command that the module describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    model = Provenance.load().relevance
    by_article: dict[str, set[str]] = defaultdict(set)
    for row in rows(parser.parse_args().data / SET):
        by_article[row["group"]].add(row["passage"])
    articles = [sorted(found) for found in by_article.values() if len(found) >= PASSAGES]
    rng = random.Random(1)
    answers = 0
    kept = {"the whole answer": 0, "each sentence": 0}
    selected = dict(kept)
    for article in articles[:ARTICLES]:
        passages = [" ".join(p.split()[:WORDS]) for p in rng.sample(article, PASSAGES)]
        homes = rng.sample(range(PASSAGES), SENTENCES)
        sentences = [
            rng.choice([passages[h][a:b].strip() for a, b in sentence_bounds(passages[h])])
            for h in homes
        ]
        answer = " ".join(sentences)
        if max(model.count_tokens([answer, *passages])) > model.text_budget // 2:
            continue
        answers += 1
        for name, queries in (("the whole answer", [answer]), ("each sentence", sentences)):
            logits = model.predict([(q, p) for q in queries for p in passages])[:, 0]
            relevance = logits.reshape(len(queries), PASSAGES).max(axis=0)
            chosen = select(
                relevance_probabilities(relevance, model.info.calibration_slope), Parameters()
            )
            kept[name] += len(set(chosen) & set(homes))
            selected[name] += len(chosen)
    for name in kept:
        print(
            f"relevance asked by {name}: {100 * kept[name] / (SENTENCES * answers):.0f} % of the "
            f"sentences' own passages kept, {selected[name] / answers:.1f} of {PASSAGES} selected "
            f"({answers} answers)"
        )


if __name__ == "__main__":
    main()
