"""A run → a scoreboard; two runs → what one wins and loses against the other. Text for a terminal, Markdown for a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

Record = dict[str, Any]


def scoreboard(run: Record) -> str:
    """Tables of passes by category and language, and of the measures; failed cases with the first thing that failed."""
    s = run["summary"]
    versions = ", ".join(f"{k} {v}" for k, v in sorted(run["versions"].items()))
    lines = [f"# {run['set']} ({run['checksum']})", "", versions, ""]
    rows = [["all", *_rate(s["passed"])]]
    rows += [[name, *_rate(of)] for name, of in {**s["by_category"], **s["by_language"]}.items()]
    lines += table(["cases", "passed", "share"], rows)
    measured = [[name, f"{m['mean']:.3f}", f"{m['held'][0]}/{m['held'][1]}"] for name, m in s["by_measure"].items()]
    lines += ["", *table(["measure", "mean", "held"], measured)]
    if s["pairs_alike"][1]:
        lines += ["", f"pairs that both pass or both fail: {s['pairs_alike'][0]}/{s['pairs_alike'][1]}"]
    if s["calibration_error"] is not None:
        lines += ["", f"expected calibration error of confidence: {s['calibration_error']:.3f}"]
    if curve := s.get("risk_coverage"):
        told = [[f"{least:.2f}", f"{covered:.0%}", f"{risk:.1%}"] for least, covered, risk in curve]
        lines += ["", *table(["answered from confidence", "share answered", "of these wrong"], told)]
    failed = [c for c in run["cases"] if not c["passed"]]
    if failed:
        lines += ["", "failed:"] + [f"- {c['id']}: {why(c)}" for c in failed]
    return "\n".join(lines)


def why(case: Record) -> str:
    """The first expectation that failed."""
    line = next((e for e in case["expected"] if e["value"] < 1), None)
    return f"{line['about']}: {line.get('detail', '')}".rstrip(": ") if line else "passed"


def compare(before: Record, after: Record) -> str:
    """Wins, losses, ties, the exact sign test, and every case that changed. Cases of one run only are counted apart."""
    old, new = ({c["id"]: c for c in r["cases"]} for r in (before, after))
    shared = [i for i in old if i in new]
    won = [i for i in shared if new[i]["passed"] and not old[i]["passed"]]
    lost = [i for i in shared if old[i]["passed"] and not new[i]["passed"]]
    lines = [f"# {before['set']}: {_name(before)} → {_name(after)}", ""]
    if before["checksum"] != after["checksum"]:
        lines += ["The set itself changed between the runs; only cases with the same id are compared.", ""]
    rows = [["all", *_change([old[i] for i in shared], [new[i] for i in shared])]]
    for key in ("category", "language"):
        for name in sorted({old[i][key] for i in shared}):
            ids = [i for i in shared if old[i][key] == name]
            rows.append([name, *_change([old[i] for i in ids], [new[i] for i in ids])])
    lines += table(["cases", "before", "after", "change"], rows)
    tally = f"won {len(won)}, lost {len(lost)}, unchanged {len(shared) - len(won) - len(lost)}"
    lines += ["", f"{tally}; sign test p = {sign_test(len(won), len(lost)):.3f}"]
    apart = {"before": len(old.keys() - new.keys()), "after": len(new.keys() - old.keys())}
    only = [f"{n} only {where}" for where, n in apart.items() if n]
    lines += [", ".join(only)] if only else []
    lines += [f"- won {i}: {why(old[i])}" for i in won] + [f"- lost {i}: {why(new[i])}" for i in lost]
    changed = [i for i in shared if i not in won + lost and old[i]["text"] != new[i]["text"]]
    if changed:
        lines.append(f"- other answers that read differently: {', '.join(changed)}")
    return "\n".join(lines)


def sign_test(won: int, lost: int) -> float:
    """Two-sided exact binomial probability of a split at least as uneven, were both as likely."""
    n = won + lost
    tail: float = sum(math.comb(n, k) for k in range(min(won, lost) + 1)) / 2.0**n
    return min(1.0, 2 * tail)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table, columns aligned."""
    widths = [max(len(r[i]) for r in (head, *rows)) for i in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in (head, *rows)]
    return [lines[0], "|" + "|".join("-" * (w + 2) for w in widths) + "|", *lines[1:]]


def _rate(of: Sequence[int]) -> list[str]:
    return [f"{of[0]}/{of[1]}", f"{of[0] / max(1, of[1]):.0%}"]


def _change(old: Sequence[Record], new: Sequence[Record]) -> list[str]:
    a, b = sum(c["passed"] for c in old), sum(c["passed"] for c in new)
    return [f"{a}/{len(old)}", f"{b}/{len(new)}", f"{b - a:+d}"]


def _name(run: Record) -> str:
    return str(run["versions"].get("index", "?"))
