"""How far predictions lie from published outcomes, with the calibration as shipped and on sources left out of it, beside other tools."""

from __future__ import annotations

import statistics
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.calibration import WEAKER, Left, fitted, intervals, is_fitted, left_out, open_programs, write
from eval.outcomes import FOLDER, Prediction, error, kinds, outcomes, predictions, usually_asked
from kb.ingest.assumptions import read_assumptions
from kb.ingest.specs import read_specs
from kb.settings import CORPUS

PAGE = Path(__file__).parent / "ACCURACY.md"
PROSE = """# Accuracy

Made by `python -m eval accuracy`; do not edit. Every row of `eval/published` is asked of the engine as its source states it, and the
answer held against what was published. Errors are relative: of the time per token for speeds of training, of the value for
everything else. *Shipped* uses the constants as they are in `corpus/assumptions/`, which were fitted to these very rows. *Left out* fits
them anew for each source without that source's rows: so it goes on runs that nobody has seen. *Held* is the share of published values
inside the 80 % interval; *width* is the median of its upper over its lower end. For *left out* the interval is the core of other
sources' published over predicted values, stretched by one factor a kind until four of five such rows lie inside (conformal prediction
leaving one source out); the factor is taken from these same rows, and where a kind has one source or few rows the core is taken from
the source's other rows. The intervals that ship are taken from the rows as people ask them, without what only the source tells of its
software, so *held* of the fully stated rows lies above. The structure
of the formulas, the constants that are not fitted, and the values that the fit is drawn to were chosen with these rows at hand, so
these errors flatter. *Runs alone* leaves sources out of a fit that expectations hardly hold: less is borrowed from what was seen. Rows
of memory and of several-GPU or other-engine layouts are not fitted; for them all columns are the same.

由 `python -m eval accuracy` 生成，请勿手改。`eval/published` 的每一行都按其来源所述提问，再与公布值比较。误差为相对误差：训练速度按每
token 时间计，其余按数值计。*Shipped* 采用 `corpus/assumptions/` 中的常数，它们正是用这些行校准的；*left out* 则逐个来源重新校准，
校准时不用该来源的任何一行，因此代表对未见过的训练的误差。*Held* 为公布值落入 80 % 区间的比例，*width* 为区间上下限之比的中位数；
*left out* 的区间取自其他来源的公布值与预测值之比，再按类别乘以一个系数展宽，使五分之四的行落入其中（逐来源留出的共形预测），
该系数即由这些行得出；某类只有一个来源或行数过少时，取自同一来源的其他行。发布的区间取自按通常问法所问的行（不含只有来源才知道的软件细节），故完整陈述的行落入比例偏高。
公式结构、未校准的常数以及校准所趋向的期望值都是参照这些数据选定的，因此误差偏乐观；*runs alone* 为期望值几乎不起作用时的留出误差。
显存以及多卡、其他引擎的行不参与校准，各列相同。
"""


def report() -> dict[str, Any]:
    """Errors of every kind of row, shipped and left out; reads the corpus of the checkout."""
    found = predictions(outcomes(), read_specs(CORPUS / "specs"), read_assumptions(CORPUS / "assumptions"))
    left, weaker = left_out(found), left_out(found, WEAKER)
    peers = tomllib.loads((FOLDER / "peers.toml").read_text("utf-8"))
    return {
        kind: {
            "shipped": _shipped([p for p in found if p.outcome.kind == kind]),
            "left_out": _left([x for x in left if x.outcome.kind == kind]),
            "weaker": _left([x for x in weaker if x.outcome.kind == kind]),
            "peers": peers.get(kind, {}).get("peers", []),
        }
        for kind in kinds([p.outcome for p in found])
    }


def recalibrate() -> dict[str, float]:
    """The constants fitted to all rows, and the intervals to the left-out ones as people ask them, written into the corpus of the
    checkout."""
    book, folder = read_specs(CORPUS / "specs"), CORPUS / "assumptions"
    assumptions = read_assumptions(folder)
    found = [p for p in predictions(outcomes(), book, assumptions) if is_fitted(p.outcome)]
    constants = fitted(found, open_programs(found))
    write(folder, constants, intervals(left_out(predictions(map(usually_asked, outcomes()), book, assumptions))))
    return constants


def _errors(errors: Sequence[float]) -> dict[str, float]:
    size = sorted(map(abs, errors))
    return {
        "n": len(size),
        "median": round(100 * statistics.median(size), 1),
        "p90": round(100 * size[int(0.9 * (len(size) - 1))], 1),
        "signed": round(100 * statistics.median(errors), 1),
    }


def _shipped(found: Sequence[Prediction]) -> dict[str, float]:
    stated = [p.low <= p.outcome.value <= p.high for p in found if p.low is not None and p.high is not None]
    first = [abs(p.error) for p in found if p.outcome.tier == "A"]
    return {
        **_errors([p.error for p in found]),
        **({"held": round(100 * sum(stated) / len(stated))} if stated else {}),
        **({"tier_a": round(100 * statistics.median(first), 1)} if first else {}),
    }


def _left(left: Sequence[Left]) -> dict[str, float]:
    held = [x.low <= x.outcome.value <= x.high for x in left]
    width = statistics.median(x.high / x.low for x in left)
    return {
        **_errors([error(x.outcome, x.value) for x in left]),
        "held": round(100 * sum(held) / len(held)),
        "width": round(width, 2),
    }


def page(result: dict[str, Any]) -> str:
    """The report as Markdown."""
    lines = [
        PROSE,
        "| rows | n | shipped: median / p90 | signed | held | left out: median / p90 | signed | held | width | left out, runs alone |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for kind, r in result.items():
        a, b, c = r["shipped"], r["left_out"], r["weaker"]
        exact = "held" not in a
        tail = ["–", "–"] if exact else [f"{b['held']} %", f"×{b['width']:g}"]
        held = "–" if exact else f"{a['held']} %"
        cells = [f"{kind}", f"{a['n']}", f"{a['median']} / {a['p90']} %", f"{a['signed']:+} %", held,
                 f"{b['median']} / {b['p90']} %", f"{b['signed']:+} %", *tail, f"{c['median']} / {c['p90']} %"]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "## Other tools on such rows", "", "| rows | tool | n | median / p90 |", "| --- | --- | --- | --- |"]
    for kind, r in result.items():
        b = r["left_out"]
        if r["peers"]:
            lines.append(f"| {kind} | **Sizewright, left out** | {b['n']} | **{b['median']} / {b['p90']} %** |")
        lines += [f"| {kind} | {p['name']} | {p['n']} | {p['median']} / {p['p90']} % |" for p in r["peers"]]
    return "\n".join(lines) + "\n"
