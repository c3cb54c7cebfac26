"""`sizewright eval`: run a question set or a retrieval set, compare two runs, examine the facts; also `python -m eval`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from eval import accuracy, articles, confidence, facts, ranking, report, retrieval, runner, sections
from eval.cases import find_set, load
from kb import settings
from kb.errors import SizewrightError
from kb.ingest.corpus import read_corpus
from kb.ingest.specs import read_specs
from kb.types.plain import plain

BASELINES = Path(__file__).parent / "baselines"


def add_command(subparsers: Any, shared: argparse.ArgumentParser | None = None) -> None:
    """Adds `eval` to the program's sub-commands (entry point group `sizewright.commands`)."""
    _declare(subparsers.add_parser("eval", help="question sets and retrieval sets, and runs compared", description=__doc__))


def _declare(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="action",
        required=True,
        metavar="run | retrieval | compare | facts | cells | accuracy | calibrate | sections | confidence | ranking",
    )

    one = actions.add_parser("run", help="ask every question of a set and score the answers")
    one.add_argument("sets", nargs="+", metavar="SET", help="a set of eval/sets by name, or a .jsonl file")
    one.add_argument("--out", type=Path, help="write the run record here (one JSON document; a list for several sets)")
    one.add_argument("--baseline", action="store_true", help="keep the scoreboard in eval/baselines/")
    one.set_defaults(run=_guarded(run_sets))

    two = actions.add_parser("retrieval", help="search with the queries of a retrieval set in BEIR layout")
    two.add_argument("folder", type=Path, metavar="BEIR_DIR", help="holds corpus.jsonl, queries.jsonl, qrels.tsv")
    two.add_argument("--split", choices=("dev", "heldout"), help="only queries of this split (default all)")
    two.add_argument("--limit", type=int, help="at most so many queries")
    two.add_argument("--out", type=Path, help="write the run record here")
    two.set_defaults(run=_guarded(run_retrieval))

    three = actions.add_parser("compare", help="what changed from one run of a set to another")
    three.add_argument("before", type=Path, metavar="RUN")
    three.add_argument("after", type=Path, metavar="RUN")
    three.set_defaults(run=_guarded(compare_runs))

    four = actions.add_parser("facts", help="does the corpus read and add up, and which facts are oldest; 1 when it does not")
    four.add_argument("--oldest", type=int, default=10, metavar="N", help="list so many sources")
    four.set_defaults(run=_guarded(examine_facts))

    five = actions.add_parser("cells", help="a sample of cells with their sources, to be checked by hand")
    five.add_argument("--seed", type=int, default=1)
    five.add_argument("--count", type=int, default=100)
    five.set_defaults(run=_guarded(sample_cells))

    for action in (four, five):
        action.add_argument("--corpus", type=Path, default=settings.CORPUS, help="folder of the corpus")
    six = actions.add_parser("accuracy", help="hold the engine against published runs; writes eval/ACCURACY.md")
    six.set_defaults(run=_guarded(run_accuracy))
    seven = actions.add_parser("calibrate", help="fit the calibrated constants and intervals of the corpus to published runs")
    seven.set_defaults(run=_guarded(run_calibration))

    eight = actions.add_parser("sections", help="does a question find the section that answers it, in both languages")
    eight.set_defaults(run=_guarded(run_sections))

    nine = actions.add_parser("confidence", help="fit the constants of `confidence` to run records, cross-validated")
    nine.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="records of `run --out`")
    nine.set_defaults(run=_guarded(fit_confidence))

    ten = actions.add_parser(
        "ranking", help="fit the weights of the order of passages to the questions of `sections`, cross-validated"
    )
    ten.set_defaults(run=_guarded(fit_ranking))

    for action in (one, two, three, four, five, six, seven, eight, nine, ten):
        action.add_argument("--json", action="store_true", help="one JSON document on stdout")
    for action in (one, eight, ten):
        action.add_argument(
            "--home", type=Path, default=None, help="folder of the index (default SIZEWRIGHT_HOME, else .sizewright)"
        )


def _guarded(action: Any) -> Any:
    """Errors for the user are said on stderr; 1 is the asked-for thing failing."""

    def act(args: argparse.Namespace) -> int:
        try:
            return int(action(args))
        except SizewrightError as error:
            print(error.en, file=sys.stderr)
            return 1

    return act


def open_base(home: Path | None) -> runner.Asked:
    """The knowledge base of a home folder; raises IndexMissing."""
    from kb import KnowledgeBase

    base: runner.Asked = KnowledgeBase.open(_home(home))
    return base


def _home(given: Path | None) -> Path:
    return given or Path(os.environ.get("SIZEWRIGHT_HOME", ".sizewright"))


def run_sets(args: argparse.Namespace) -> int:
    """Runs the sets in order; 0 also when cases fail: a score is a figure to read."""
    sets = [load(find_set(name)) for name in args.sets]
    base = open_base(args.home)
    records = [runner.run(cases, base) for cases in sets]
    if args.out:
        _write(args.out, records[0] if len(records) == 1 else records)
    if args.baseline:
        for record in records:
            kept = {k: record[k] for k in ("set", "checksum", "versions", "settings", "summary")}
            _write(BASELINES / f"{record['set']}.json", kept)
    _say(args, records[0] if len(records) == 1 else records, "\n\n".join(map(report.scoreboard, records)))
    return 0


def run_retrieval(args: argparse.Namespace) -> int:
    record = retrieval.run(args.folder, args.split, args.limit)
    if args.out:
        _write(args.out, record)
    names = list(record["all"])
    rows = [[name, *(f"{m[n]:g}" for n in names)] for name, m in {"all": record["all"], **record["by_language"]}.items()]
    head = f"# {record['set']}, {record['documents']} documents"
    _say(args, record, "\n".join([head, "", *report.table(["language", *names], rows)]))
    return 0


def compare_runs(args: argparse.Namespace) -> int:
    """1 when a file is no run record."""
    try:
        before, after = (json.loads(path.read_text(encoding="utf-8")) for path in (args.before, args.after))
        text = report.compare(before, after)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"no run record of `sizewright eval run --out`: {error}", file=sys.stderr)
        return 1
    _say(args, {"report": text}, text)
    return 0


def fit_confidence(args: argparse.Namespace) -> int:
    """1 when a file is no run record."""
    try:
        records = [r for path in args.runs for r in _records(json.loads(path.read_text(encoding="utf-8")))]
        cases = [c for r in records for c in r["cases"] if c["confidence"] is not None]
        shares, line = confidence.fitted(cases)
        told, crossed = confidence.crossed(cases)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"no run record of `sizewright eval run --out`: {error}", file=sys.stderr)
        return 1
    found = {"cases": len(cases), "shares": shares, "passages": line, "calibration_error": {"told": told, "crossed": crossed}}
    text = [f"{name}: {share:.3f}" for name, share in shares.items()]
    text += [f"passages: {line[0]:.2f} + {line[1]:.2f} × nearness"]
    text += [
        f"expected calibration error over {len(cases)} cases: {told} as told, {crossed} with constants fitted to the other folds"
    ]
    _say(args, found, "\n".join(text))
    return 0


def _records(document: Any) -> list[dict[str, Any]]:
    return document if isinstance(document, list) else [document]


def run_accuracy(args: argparse.Namespace) -> int:
    """Writes the page of a checkout."""
    found = accuracy.report()
    accuracy.PAGE.write_text(accuracy.page(found), encoding="utf-8")
    _say(args, found, accuracy.page(found))
    return 0


def run_calibration(args: argparse.Namespace) -> int:
    """Changes corpus/assumptions/ of a checkout."""
    constants = accuracy.recalibrate()
    _say(args, constants, "\n".join(f"{name} = {value:.3g}" for name, value in constants.items()))
    return 0


def examine_facts(args: argparse.Namespace) -> int:
    """1 when a model's total is off and no reason is given, or an article contradicts the tables or its own sums; a corpus that
    does not read is an error."""
    found, told = facts.audit(args.corpus, args.oldest), articles.examine(read_corpus(args.corpus))
    _say(args, {**plain(found), "articles": plain(told)}, f"{facts.shown(found)}\n{articles.shown(told)}")
    return 1 if found.unexplained or told.faults else 0


def run_sections(args: argparse.Namespace) -> int:
    """0 also when sections are missed: a score is a figure to read."""
    from kb import KnowledgeBase

    base = KnowledgeBase.open(_home(args.home))
    found = sections.measure(base.search, read_corpus(settings.CORPUS).documents, sections.load())
    _say(args, plain(found), sections.shown(found))
    return 0


def fit_ranking(args: argparse.Namespace) -> int:
    """Prints what the shipped weights find, and what they would be when fitted anew."""
    from kb import KnowledgeBase

    base = KnowledgeBase.open(_home(args.home))
    questions = ranking.gather(sections.load(), read_corpus(settings.CORPUS).documents, base.candidates, base.described)
    _say(args, {"report": ranking.shown(questions)}, ranking.shown(questions))
    return 0


def sample_cells(args: argparse.Namespace) -> int:
    drawn = facts.sample(read_specs(args.corpus / "specs"), args.seed, args.count)
    record = [{"table": s.row.table, "row": s.row.id, "column": s.column, "cell": plain(s.cell)} for s in drawn]
    _say(args, record, facts.listed(drawn))
    return 0


def _say(args: argparse.Namespace, record: Any, text: str) -> None:
    print(json.dumps(record, ensure_ascii=False) if args.json else text)


def _write(path: Path, record: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m eval", description=__doc__)
    _declare(parser)
    args = parser.parse_args(argv)
    return int(args.run(args))


if __name__ == "__main__":
    sys.exit(main())
