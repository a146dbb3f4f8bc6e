"""The tests. Where several processes share them, each has one core and one thread.

Set before a library is imported that counts the cores for its threads: more threads than cores wait
for each other longer than they compute.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
if _WORKER and hasattr(os, "sched_setaffinity"):
    _CORES = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {_CORES[int(_WORKER.removeprefix("gw")) % len(_CORES)]})
