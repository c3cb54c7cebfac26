"""Coverage-guided fuzzing of the reader, by hand: `python -m tests.kb.understanding.fuzz -max_total_time=600` (needs atheris).

Not collected by pytest. Fails on any exception, on a span that does not hold its text, and on a turn that takes more than a
second of processor time.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["kb.understanding"]):
    from kb.ingest.specs import read_specs
    from kb.ingest.terms import read_terms
    from kb.understanding import Reader

CORPUS = Path(__file__).parents[3] / "corpus"
BOOK = read_specs(CORPUS / "specs")
READER = Reader(read_terms(CORPUS / "terms", BOOK), BOOK)


def once(data: bytes) -> None:
    """One conversation: the lines of the input, at most three."""
    turns = data.decode("utf-8", "ignore").split("\x1f")[:3]
    begun = time.process_time()
    read = READER.read(turns[-1], turns[:-1])
    if time.process_time() - begun > 1.0:
        raise RuntimeError("too slow")
    for mention in read.mentions:
        if turns[-1][mention.start : mention.end] != mention.text:
            raise RuntimeError(f"span of {mention}")


if __name__ == "__main__":
    atheris.Setup(sys.argv, once)
    atheris.Fuzz()
