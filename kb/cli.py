"""The `sizewright` command: parse arguments, call the façade, print. `serve` and `eval` join as entry points."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from kb import settings
from kb.answering.sizing.planned import report
from kb.api import KnowledgeBase, build
from kb.doctor import examine
from kb.errors import IndexMissing, InvalidInput, SizewrightError
from kb.index.manifest import Manifest, current
from kb.ingest.assumptions import read_assumptions
from kb.ingest.loaders import other_files
from kb.ingest.repair import clean_plain
from kb.ingest.spec_model import beside_projections, columns_of_config, named, row_text
from kb.library import take_in, take_out
from kb.sizing.request import SHORTHANDS
from kb.sizing.shape import counted
from kb.types.answer import Answer
from kb.types.plain import plain
from kb.types.sizing import SizingRequest, SizingResult
from kb.types.spec_query import as_csv, listed, query, side_by_side, written
from kb.types.specs import Cell, Row, Table

Command = Callable[[argparse.Namespace], int]
REQUEST = (*(f.name for f in fields(SizingRequest)), *SHORTHANDS)
LIMITS = {
    "gpus": "accelerators to choose from, separated by commas (default: those that servers of the tables come with)",
    "max_gpus": "most GPUs",
    "max_days": "days that training may take",
    "max_budget": "most it may cost, in the currency of the prices",
    "objective": "what to rank by: cost, time or gpus",
    "prices": "price per GPU-hour of each kind: h100-sxm5-80gb=2.5,a100-sxm4-80gb=1.2",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 done, 1 failed, 2 bad usage. Errors go to stderr and say what to do next."""
    parser = make_parser()
    args = parser.parse_args(arguments)
    try:
        return int(args.run(args))
    except SizewrightError as error:
        return _failed(error, args.json)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        name = error.filename or "file"
        return _failed(
            InvalidInput("file", name, f"{name}: {error.strerror}", f"{name}：无法读取（{error.strerror}）"), args.json
        )


def _failed(error: SizewrightError, as_json: bool) -> int:
    if as_json:
        told = {"en": error.en, "zh": error.zh, "field": getattr(error, "field", None)}
        print(json.dumps({"error": told}, ensure_ascii=False))
    print(f"sizewright: {error.zh if _chinese() else error.en}", file=sys.stderr)
    return 2 if isinstance(error, InvalidInput) else 1


def make_parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--json", action="store_true", help="print one JSON document on stdout")
    shared.add_argument("--home", type=Path, help="folder of the index and all state (default .sizewright)")
    parser = argparse.ArgumentParser(prog="sizewright", description="Cited answers about hardware for large language models.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, run: Command, help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, parents=[shared], help=help, description=help)
        command.set_defaults(run=run)
        return command

    c = add("build", _build, "corpus and spec tables -> index; does nothing when nothing changed")
    c.add_argument("--corpus", type=Path, help="folder of the corpus (default: the one shipped)")
    c = add("ingest", _ingest, "add or update documents: .md .html .txt .pdf .docx, or a folder")
    c.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    c.add_argument("--collection", default="default")
    c = add("remove", _remove, "take documents out again, by the id that `ingest` printed")
    c.add_argument("sources", nargs="+", metavar="SOURCE")
    c = add("clean", _clean, "repair damaged text of a file, or of standard input")
    c.add_argument("file", nargs="?", default="-", metavar="FILE")
    c.add_argument("--batch", type=Path, metavar="FILE", help='JSON lines {"id","input","mode"?}')
    c = add("ask", _ask, "answer a question with its sources")
    c.add_argument("question", nargs="?", metavar="QUESTION")
    c.add_argument("--batch", type=Path, metavar="FILE", help='JSON lines {"id","question"}')
    c = add("understand", _understand, "how a question is read: slots, mentions, intents; no search")
    c.add_argument("question", nargs="?", metavar="QUESTION")
    c.add_argument("--batch", type=Path, metavar="FILE", help='JSON lines {"id","text"}')
    c = add("size", _size, "size a workload by the rules, with the derivation")
    c.add_argument("--request", type=Path, metavar="FILE", help="a SizingRequest as JSON")
    _add_fields(c, dict.fromkeys(REQUEST))
    c = add("plan", _plan, "which hardware and layout: the best within the limits, and why others are left out")
    c.add_argument("--request", type=Path, metavar="FILE", help="a SizingRequest with limits as JSON")
    _add_fields(c, dict.fromkeys(REQUEST) | LIMITS)
    c = add("specs", _specs, "the spec tables, a table, or a row; add-model [FILE|-]: a model row from a config.json")
    c.add_argument("table", nargs="?", metavar="TABLE")
    c.add_argument("row", nargs="?", metavar="ROW")
    c.add_argument("--where", action="append", default=[], metavar="CONDITION", help="such as 'memory_gb>=80', 'vendor=NVIDIA'")
    c.add_argument("--sort", metavar="COLUMNS", help="separated by commas; --sort=-memory_gb for descending")
    c.add_argument("--ids", default="", metavar="ROWS", help="rows to compare, separated by commas")
    c.add_argument("--csv", action="store_true", help="print the rows as CSV")
    c.add_argument("--corpus", type=Path, help="folder of the corpus that `specs add-model [FILE|-]` adds a model to")
    c.add_argument("--name", help="of the model that is added, when its config.json does not say it")
    c = add("search", _search, "ranked passages with scores")
    c.add_argument("query", metavar="QUERY")
    c.add_argument("-k", type=int, default=10, metavar="N")
    add("config", _config, "the effective settings and where each came from")
    add("doctor", _doctor, "check the installation, index, model and disk, and say what to mend")
    for entry in sorted(entry_points(group="sizewright.commands"), key=lambda e: e.name):
        entry.load()(commands, shared)
    return parser


def _add_fields(command: argparse.ArgumentParser, names: Mapping[str, str | None]) -> None:
    for name, help in names.items():
        command.add_argument(f"--{name.replace('_', '-')}", dest=f"field_{name}", metavar="VALUE", help=help)


def _build(args: argparse.Namespace) -> int:
    s, _ = settings.load(home=args.home, corpus=args.corpus)
    manifest, embedded = build(s.home, s.corpus, model=s.model)
    report = {"index": manifest.version, "documents": manifest.documents, "passages": manifest.passages, "embedded": embedded}
    words = f"index {manifest.version}: {manifest.documents} documents, {manifest.passages} passages, {embedded} newly embedded"
    return _print(args, report, words)


def _ingest(args: argparse.Namespace) -> int:
    s, _ = settings.load(home=args.home)
    taken, faults = take_in(s.home, args.paths, args.collection)
    for left_out in other_files(args.paths):
        print(
            f"sizewright: {left_out}: {'已跳过，类型不可读' if _chinese() else 'left out, of no kind that is read'}",
            file=sys.stderr,
        )
    for fault in faults:
        print(f"sizewright: {fault.zh if _chinese() else fault.en}", file=sys.stderr)
    manifest, _ = build(s.home, s.corpus, model=s.model, articles=_holds_corpus(s.home))
    report = {
        "documents": [{"id": d.id, "title": d.title, "language": d.language, "characters": len(d.text)} for d in taken],
        "faults": [{"en": f.en, "zh": f.zh} for f in faults],
        "index": manifest.version,
    }
    _print(args, report, "\n".join(f"{d.id}  {d.title}" for d in taken))
    return 1 if faults or not taken else 0


def _remove(args: argparse.Namespace) -> int:
    s, _ = settings.load(home=args.home)
    gone = take_out(s.home, args.sources)
    manifest, _ = build(s.home, s.corpus, model=s.model, articles=_holds_corpus(s.home))
    return _print(args, {"removed": gone, "index": manifest.version}, "\n".join(f"removed {g}" for g in gone))


def _clean(args: argparse.Namespace) -> int:
    if args.batch:
        for line in _lines(args.batch, "input"):
            _line({"id": line["id"], **clean_plain(line["input"], line.get("mode"))})
        return 0
    raw = sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes()
    result = clean_plain(raw.decode("utf-8", "replace"), None)
    return _print(args, result, result["text"])


def _ask(args: argparse.Namespace) -> int:
    kb = _open(args)
    if args.batch:
        for line in _lines(args.batch, "question"):
            _line({"id": line["id"], "answer": plain(kb.ask(line["question"]))})
        return 0
    answer = kb.ask(_question(args))
    _print(args, plain(answer), _readable(answer))
    return 1 if answer.kind == "declined" else 0


def _understand(args: argparse.Namespace) -> int:
    kb = _open(args)
    if args.batch:
        for line in _lines(args.batch, "text"):
            _line({"id": line["id"], **plain(kb.understand(line["text"]))})
        return 0
    reading = plain(kb.understand(_question(args)))
    return _print(args, reading, json.dumps(reading, ensure_ascii=False, indent=1))


def _size(args: argparse.Namespace) -> int:
    result = _open(args).size(_fields(args), "zh" if _chinese() else "en")
    return _print(args, plain(result), _readable_sizing(result))


def _plan(args: argparse.Namespace) -> int:
    request, language, base = _fields(args), "zh" if _chinese() else "en", _open(args)
    if isinstance(request.get("prices"), str):
        pairs = (part.partition("=") for part in request["prices"].split(","))
        request["prices"] = {gpu.strip(): _literal(price) for gpu, _, price in pairs}
    result = base.plan(request, language)
    _print(args, plain(result), report(result, language, base.specs))
    return 0 if result.options else 1


def _fields(args: argparse.Namespace) -> dict[str, Any]:
    """The request of a file, and over it the fields given as options."""
    request = _object(args.request.read_text(encoding="utf-8"), str(args.request), ()) if args.request else {}
    given = {name.removeprefix("field_"): v for name, v in vars(args).items() if name.startswith("field_") and v is not None}
    return request | {name: _literal(v) for name, v in given.items()}


def _specs(args: argparse.Namespace) -> int:
    if args.table == "add-model":
        return _add_model(args)
    book = _open(args).specs
    if args.table is None:
        tables = [{"name": t.name, "label": plain(t.label), "rows": len(t.rows)} for t in book.tables.values()]
        return _print(args, {"tables": tables}, "\n".join(f"{t['name']:20} {t['rows']:4} rows" for t in tables))
    table = book.tables.get(args.table)
    if table is None:
        raise InvalidInput(
            "table",
            args.table,
            f"no table {args.table!r}: there are {', '.join(book.tables)}",
            f"没有表“{args.table}”：现有 {'、'.join(book.tables)}",
        )
    return _rows(args, table) if args.row is None else _one_row(args, table)


def _rows(args: argparse.Namespace, table: Table) -> int:
    """The rows that meet the conditions, or those named side by side."""
    ids = [i.strip() for i in args.ids.split(",") if i.strip()]
    conditions = [written(c, table) for c in args.where]
    rows = query(table, conditions, args.sort, ids)
    if args.csv:
        print(as_csv(table, rows), end="")
        return 0
    asked = [*(c.column for c in conditions), *(k.strip(" -+") for k in (args.sort or "").split(","))]
    document = {"columns": [plain(c) for c in table.columns], "rows": [_flat(r) for r in rows]}
    return _print(args, document, side_by_side(table, rows) if ids else listed(rows, asked))


def _one_row(args: argparse.Namespace, table: Table) -> int:
    """Every cell with its source."""
    (row,) = query(table, ids=(args.row,))
    if args.csv:
        print(as_csv(table, [row]), end="")
        return 0
    cells = {n: _cell(c) for n, c in row.cells.items()}
    words = [
        f"{row.name} ({row.id})",
        *(f"{n:28} {c.quote:24} {c.source.title}" for n, c in row.cells.items() if c.state != "unknown"),
        row.notes_zh if _chinese() else row.notes,
    ]
    return _print(args, {"id": row.id, "name": row.name, "cells": cells}, "\n".join(words).rstrip())


def _add_model(args: argparse.Namespace) -> int:
    """A row of the model table from a config.json; an existing row is not written over."""
    s, _ = settings.load(home=args.home, corpus=args.corpus)
    text = sys.stdin.read() if args.row in (None, "-") else _text(Path(args.row))
    columns = columns_of_config(text, s.corpus / "specs" / "architectures.toml")
    id, name, url = named(text, args.name)
    counts, beside = counted(columns, read_assumptions(s.corpus / "assumptions")), beside_projections(text, columns)
    columns = {name: count + beside for name, count in counts.items()} | columns
    file = s.corpus / "specs" / "models" / f"{id}.toml"
    if file.exists():
        raise InvalidInput("name", id, f"{file} is there already: give another --name", f"{file} 已存在：请用 --name 另取名称")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(row_text(id, name, url, columns, date.today()), encoding="utf-8")
    words = f"{file}: {columns['params_total']} parameters, {columns['params_active']} active; now run `sizewright build`"
    return _print(args, {"id": id, "name": name, "file": str(file), "columns": columns}, words)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput("file", str(file), f"cannot read {file}: {error}", f"无法读取 {file}：{error}") from error


def _search(args: argparse.Namespace) -> int:
    kb = _open(args)
    hits = kb.search(args.query, args.k)
    words = "\n\n".join(
        f"{h.score:.3f}  {h.document.title} › {' › '.join(h.passage.heading_path[1:])}\n{h.passage.text[:300]}" for h in hits
    )
    return _print(args, {"hits": [kb.hit(h) for h in hits]}, words)


def _config(args: argparse.Namespace) -> int:
    s, origin = settings.load(home=args.home)
    shown = {n: {"value": v, "from": origin[n]} for n, v in s.model_dump(mode="json").items()}
    return _print(args, shown, "\n".join(f"{n:14} {v['value']!s:40} {v['from']}" for n, v in shown.items()))


def _doctor(args: argparse.Namespace) -> int:
    s, _ = settings.load(home=args.home)
    checks = examine(s)
    _print(
        args,
        {"checks": [plain(c) for c in checks]},
        "\n".join(f"{'ok  ' if c.ok else 'BAD '} {c.name}: {c.says}" for c in checks),
    )
    return 0 if all(c.ok for c in checks) else 1


def _open(args: argparse.Namespace) -> KnowledgeBase:
    s, _ = settings.load(home=args.home)
    return KnowledgeBase.open(s.home, model=s.model, llm=s.llm)


def _holds_corpus(home: Path) -> bool:
    """Whether the index in use was built with the corpus; a fresh home that only ingests is not given it unasked."""
    try:
        return Manifest.load(current(home)).corpus is not None
    except IndexMissing:
        return False


def _question(args: argparse.Namespace) -> str:
    if not (args.question or "").strip():
        raise InvalidInput(
            "question",
            args.question,
            "the question is empty: put it in quotes after the command",
            "问题为空：请在命令后用引号写出问题",
        )
    return str(args.question)


def _literal(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _lines(path: Path, *keys: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a file of JSON lines, each with an id and these keys; a faulty line is refused by its number before any runs."""
    lines = enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), 1)
    yield from [_object(line, f"{path}:{n}", ("id", *keys)) for n, line in lines if line.strip()]


def _object(text: str, place: str, keys: Sequence[str]) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InvalidInput("file", place, f"{place}: no JSON ({error})", f"{place}：不是 JSON（{error}）") from None
    lacking = [k for k in keys if not isinstance(found, dict) or k not in found]
    if lacking or not isinstance(found, dict):
        raise InvalidInput(
            "file", place, f"{place}: an object with {', '.join(keys)} is needed", f"{place}：需要含有 {'、'.join(keys)} 的对象"
        )
    return found


def _line(document: Any) -> None:
    print(json.dumps(document, ensure_ascii=False))


def _print(args: argparse.Namespace, document: Any, words: str) -> int:
    print(json.dumps(document, ensure_ascii=False, indent=1) if args.json else words)
    return 0


def _readable(answer: Answer) -> str:
    notes = [f"[{c.n}] {c.source.title}: {' '.join(c.quote.split())[:160]} {c.source.url}".rstrip() for c in answer.citations]
    return "\n".join([answer.text, *([""] if notes else []), *notes])


def _readable_sizing(result: SizingResult) -> str:
    lines = [f"{v.name:36} {v.value} {v.unit}" for v in result.values]
    return "\n".join(filter(None, [result.verdict, *lines, "", *(d.text for d in result.derivation), *result.warnings]))


def _flat(row: Row) -> dict[str, Any]:
    return {"id": row.id, "name": row.name, **{n: c.value for n, c in row.cells.items()}}


def _cell(cell: Cell) -> dict[str, Any]:
    known = {} if cell.status == "known" else {"status": cell.status}
    told = ("value", "unit", "source", "note", "confidence") + (("disagreement",) if cell.disagreement else ())
    return {k: v for k, v in plain(cell).items() if k in told} | known


def _chinese() -> bool:
    return (os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or "").startswith("zh")
