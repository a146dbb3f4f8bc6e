"""``python -m benchmarks.sessions``: many sessions at once against one server of this machine.

The script starts the app on 127.0.0.1 with a new database. The sessions speak Streamlit's own
messages over HTTP and a websocket, as a browser does. Three parts, of which 0 leaves one out:

1. ``--sessions`` visitors audit, review and read the history at once. Nobody may be sent what
   another entered, and the database must have every audit and judgement that a page acknowledged.
2. ``--batches`` commands of the command line write into one new database at once.
3. ``--chunks`` by ``--sentences`` is a long audit of one session, beside which others open pages.

Prints the seconds of each action. Ends with status 1 when something did not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.machine import machine_lines
from benchmarks.served_app import served_app
from benchmarks.sessions.batches import batches_together
from benchmarks.sessions.beside import pages_beside_long_audit
from benchmarks.sessions.measured import Finding
from benchmarks.sessions.together import visit_together, warm_up


def main() -> int:
    """Run the parts; 1 when something did not hold."""
    summary, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.sessions",
        description=summary,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sessions", type=int, default=20, help="visitors at once, at most 100")
    parser.add_argument("--rounds", type=int, default=3, help="of each visitor")
    parser.add_argument("--batches", type=int, default=4, help="commands at once, at most 16")
    parser.add_argument("--rows", type=int, default=25, help="of each batch")
    parser.add_argument("--visitors", type=int, default=4, help="beside the long audit")
    parser.add_argument("--openings", type=int, default=20, help="pages of each of these visitors")
    parser.add_argument("--chunks", type=int, default=200, help="of the long audit")
    parser.add_argument("--sentences", type=int, default=30, help="of the long audit")
    options = parser.parse_args()
    if options.sessions > 100 or options.batches > 16:
        parser.error("at most 100 --sessions and 16 --batches: this is one machine")
    print("\n".join(machine_lines()), flush=True)
    holds = True
    for finding in _findings(options):
        print(f"\n{finding.title}")
        print("\n".join(f"  {line}" for line in finding.lines))
        for problem in finding.problems:
            print(f"  DID NOT HOLD: {problem}")
        if not finding.problems:
            print("  Everything held.", flush=True)
        holds &= not finding.problems
    return 0 if holds else 1


def _findings(options: argparse.Namespace) -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if options.batches:
            url = f"sqlite:///{folder}/batches.db"
            yield batches_together(url, folder, options.batches, options.rows)
        if options.sessions:
            url = f"sqlite:///{folder}/sessions.db"
            with served_app(url, folder) as app:
                asyncio.run(warm_up(app))
                yield visit_together(app, url, options.sessions, options.rounds)
        if options.chunks and options.sentences:
            with served_app(f"sqlite:///{folder}/beside.db", folder) as app:
                asyncio.run(warm_up(app))
                yield pages_beside_long_audit(
                    app, options.visitors, options.openings, options.chunks, options.sentences
                )


if __name__ == "__main__":
    sys.exit(main())
