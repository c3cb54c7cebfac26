"""`sizewright eval`: run a question set or a retrieval set, compare two runs, examine the facts; also `python -m eval`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from eval import accuracy, articles, confidence, facts, ranking, report, retrieval, runner, sections, support
from eval.cases import find_set, load
from kb import KnowledgeBase, settings
from kb.errors import SizewrightError
from kb.ingest.corpus import read_corpus
from kb.ingest.specs import read_specs
from kb.types.plain import plain

Action = Callable[[argparse.Namespace], int]
BASELINES = Path(__file__).parent / "baselines"


def add_command(subparsers: Any, shared: argparse.ArgumentParser | None = None) -> None:
    """Adds `eval` to the program's sub-commands (entry point group `sizewright.commands`)."""
    _declare(subparsers.add_parser("eval", help="question sets and retrieval sets, and runs compared", description=__doc__))


def _declare(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    def add(name: str, run: Action, help: str) -> argparse.ArgumentParser:
        action = actions.add_parser(name, help=help, description=help)
        action.add_argument("--json", action="store_true", help="one JSON document on stdout")
        action.set_defaults(run=run)
        return action

    a = add("run", run_sets, "ask every question of a set and score the answers")
    a.add_argument("sets", nargs="+", metavar="SET", help="a set of eval/sets by name, or a .jsonl file")
    a.add_argument("--out", type=Path, help="write the run record here (one JSON document; a list for several sets)")
    a.add_argument("--baseline", action="store_true", help="keep the scoreboard in eval/baselines/")
    _add_home(a)
    a = add("retrieval", run_retrieval, "search with the queries of a retrieval set in BEIR layout")
    a.add_argument("folder", type=Path, metavar="BEIR_DIR", help="holds corpus.jsonl, queries.jsonl, qrels.tsv")
    a.add_argument("--split", choices=("dev", "heldout"), help="only queries of this split (default all)")
    a.add_argument("--limit", type=int, help="at most so many queries")
    a.add_argument("--out", type=Path, help="write the run record here")
    a = add("compare", compare_runs, "what changed from one run of a set to another")
    a.add_argument("before", type=Path, metavar="RUN")
    a.add_argument("after", type=Path, metavar="RUN")
    a = add("facts", examine_facts, "does the corpus read and add up, and which facts are oldest; 1 when it does not")
    a.add_argument("--oldest", type=int, default=10, metavar="N", help="list so many sources")
    _add_corpus(a)
    a = add("cells", sample_cells, "a sample of cells with their sources, to be checked by hand")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--count", type=int, default=100)
    _add_corpus(a)
    add("accuracy", run_accuracy, "hold the engine against published runs; writes eval/ACCURACY.md")
    add("calibrate", run_calibration, "fit the calibrated constants and intervals of the corpus to published runs")
    _add_home(add("sections", run_sections, "does a question find the section that answers it, in both languages"))
    a = add("confidence", fit_confidence, "fit the constants of `confidence` to run records, cross-validated")
    a.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="records of `run --out`")
    _add_home(
        add("ranking", fit_ranking, "fit the weights of the order of passages to the questions of `sections`, cross-validated")
    )
    a = add("support", fit_support, "are questions without an answer told from those with one; fits the weights that tell")
    a.add_argument("folders", nargs="+", type=Path, metavar="BEIR_DIR", help="hold corpus.jsonl and queries.jsonl")
    a.add_argument("--split", choices=("dev", "heldout"), help="only queries of this split (default all)")
    a.add_argument("--limit", type=int, help="at most so many queries of a kind")


def _add_home(action: argparse.ArgumentParser) -> None:
    action.add_argument("--home", type=Path, help="folder of the index (default as `sizewright config` says)")


def _add_corpus(action: argparse.ArgumentParser) -> None:
    action.add_argument("--corpus", type=Path, default=settings.CORPUS, help="folder of the corpus")


def open_base(home: Path | None) -> KnowledgeBase:
    """The knowledge base of a home folder, with the model of the settings; raises IndexMissing."""
    chosen, _ = settings.load(home=home)
    return KnowledgeBase.open(chosen.home, model=chosen.model)


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
    """Builds an index of the set for the run; 0 whatever it finds."""
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
    found = sections.measure(open_base(args.home).search, read_corpus(settings.CORPUS).documents, sections.load())
    _say(args, plain(found), sections.shown(found))
    return 0


def fit_ranking(args: argparse.Namespace) -> int:
    """Prints what the shipped weights find, and what they would be when fitted anew."""
    base = open_base(args.home)
    questions = ranking.gather(sections.load(), read_corpus(settings.CORPUS).documents, base.candidates, base.described)
    _say(args, {"report": ranking.shown(questions)}, ranking.shown(questions))
    return 0


def fit_support(args: argparse.Namespace) -> int:
    """0 also where a single score tells better: a figure to read."""
    found = support.measure([k for folder in args.folders for k in support.gather(folder, args.split, args.limit)])
    _say(args, found, support.shown(found))
    return 0


def sample_cells(args: argparse.Namespace) -> int:
    """The same seed draws the same cells."""
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
    try:
        return int(args.run(args))
    except SizewrightError as error:
        print(error.en, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
