"""Reading the spec tables: what a row holds, and how a faulty corpus is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import CorpusFault
from kb.ingest.specs import dump_specs, load_specs, read_specs

SCHEMA = """
[chips]
label = { en = "chip", zh = "芯片" }
rising = ["slow_tflops", "fast_tflops"]
[chips.columns]
memory_gb = { kind = "number", unit = "GB", low = 1, high = 1000, en = "memory", zh = "显存" }
slow_tflops = { kind = "number", unit = "TFLOP/s", en = "BF16 dense compute", zh = "BF16 稠密算力" }
fast_tflops = { kind = "number", unit = "TFLOP/s", en = "FP8 dense compute", zh = "FP8 稠密算力" }
lanes = { kind = "number", note = "counted", en = "lanes", zh = "通道数" }
link = { kind = "text", en = "link", zh = "互联" }
sort = { kind = "text", convention = "Our sorts of chips", en = "sort", zh = "类别" }
shared = { kind = "flag", en = "shared memory", zh = "共享内存" }

[boards]
label = { en = "board", zh = "板卡" }
[boards.columns]
chip_id = { kind = "text", refers = "chips", en = "chip", zh = "芯片" }
"""
SOURCE = '[source]\ntitle = "Sheet"\nurl = "https://example.org/sheet"\nretrieved = 2026-11-30\nconfidence = "datasheet"\n'
ALPHA = """
id = "alpha"
name = "Alpha 80GB"
memory_gb = "80 GB"
slow_tflops = "312.5 TFLOP/s"
fast_tflops = "unsupported"
lanes = 16
shared = false
"""
BETA = """
id = "beta"
name = "Beta"
"""


def corpus(folder: Path, files: dict[str, str]) -> Path:
    for name, text in ({"schema.toml": SCHEMA} | files).items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def faults(folder: Path, files: dict[str, str]) -> str:
    with pytest.raises(CorpusFault) as caught:
        read_specs(corpus(folder, files))
    return "\n".join(caught.value.faults)


def test_a_cell_has_value_unit_quote_and_source(tmp_path: Path) -> None:
    row = read_specs(corpus(tmp_path, {"chips/alpha.toml": ALPHA + SOURCE})).row("chips", "alpha")
    assert row is not None and row.name == "Alpha 80GB"
    memory = row.cells["memory_gb"]
    assert (memory.value, memory.unit, memory.quote, memory.status, memory.confidence) == (
        80,
        "GB",
        "80 GB",
        "known",
        "datasheet",
    )
    assert (memory.source.id, memory.source.kind, memory.source.retrieved) == ("sheet", "spec", "2026-11-30")
    assert row.number("slow_tflops") == 312.5
    assert (row.cells["lanes"].quote, row.cells["shared"].value, row.cells["shared"].quote) == ("16", False, "no")


def test_what_the_table_decides_itself_rests_on_its_convention_and_not_on_the_sheet(tmp_path: Path) -> None:
    own = '\n[sources.sort]\ntitle = "List of sorts"\nurl = ""\n'
    files = {"chips/alpha.toml": 'sort = "card"\n' + ALPHA + SOURCE, "chips/beta.toml": BETA + 'sort = "card"\n' + SOURCE + own}
    book = read_specs(corpus(tmp_path, files))
    cells = {id: row.cells["sort"] for id, row in book.tables["chips"].rows.items()}
    assert [(c.source.title, c.source.url, c.source.retrieved, c.confidence) for c in cells.values()] == [
        ("Our sorts of chips", "", "2026-11-30", "convention"),
        ("List of sorts", "", "2026-11-30", "datasheet"),
    ]


def test_how_a_column_follows_from_its_source_is_noted_unless_a_cell_notes_its_own(tmp_path: Path) -> None:
    own = '\n[sources.lanes]\nnote = "printed"\n'
    book = read_specs(corpus(tmp_path, {"chips/alpha.toml": ALPHA + SOURCE, "chips/beta.toml": BETA + SOURCE + own}))
    assert [row.cells["lanes"].note for row in book.tables["chips"].rows.values()] == ["counted", "printed"]


def test_unsupported_is_not_unknown_and_a_column_left_out_is_unknown(tmp_path: Path) -> None:
    row = read_specs(corpus(tmp_path, {"chips/alpha.toml": ALPHA + SOURCE})).row("chips", "alpha")
    assert row is not None
    assert [(row.cells[c].status, row.cells[c].value, row.cells[c].quote) for c in ("fast_tflops", "link")] == [
        ("unsupported", None, "unsupported"),
        ("unknown", None, "unknown"),
    ]


def test_a_source_that_was_read_may_be_said_to_print_nothing(tmp_path: Path) -> None:
    told = ALPHA + 'link = "not published"\n' + SOURCE
    row = read_specs(corpus(tmp_path, {"chips/alpha.toml": told})).row("chips", "alpha")
    assert row is not None
    link = row.cells["link"]
    assert (link.value, link.status, link.state, link.quote, link.source.title) == (
        None,
        "unknown",
        "unpublished",
        "not published",
        "Sheet",
    )
    assert row.cells["fast_tflops"].state == "unsupported"


@pytest.mark.parametrize("confidence", ["datasheet, read in secondary tables", "third-party", "from general knowledge"])
def test_nothing_is_unpublished_by_what_was_not_read(tmp_path: Path, confidence: str) -> None:
    told = ALPHA + 'link = "not published"\n' + SOURCE.replace("datasheet", confidence)
    assert 'link: is "not published", but its source was not read' in faults(tmp_path, {"chips/alpha.toml": told})
    note = '[sources.link]\nnote = "Somebody looked and found none"\n'
    if "general knowledge" in confidence:
        assert "its source was not read" in faults(tmp_path, {"chips/alpha.toml": told + note})
    else:
        assert read_specs(corpus(tmp_path, {"chips/alpha.toml": told + note})).row("chips", "alpha") is not None


@pytest.mark.parametrize(
    ("cell", "confidence", "says"),
    [
        ("", "datasheet", 'link: is left out; write the figure, "unsupported", "not published" or "unknown"'),
        ('link = "unknown"\n', "datasheet", 'link: is "unknown", but its source was read (datasheet)'),
        ('link = "unknown"\n', "third-party", ""),
        ('link = "not published"\n', "datasheet", ""),
        ('link = "unsupported"\n', "datasheet", ""),
    ],
)
def test_a_row_says_why_a_column_of_complete_holds_nothing(tmp_path: Path, cell: str, confidence: str, says: str) -> None:
    schema = SCHEMA.replace("rising =", 'complete = ["link"]\nrising =')
    files = {"schema.toml": schema, "chips/alpha.toml": ALPHA + cell + SOURCE.replace("datasheet", confidence)}
    if says:
        assert says in faults(tmp_path, files)
    else:
        assert read_specs(corpus(tmp_path, files)).row("chips", "alpha") is not None


@pytest.mark.parametrize(
    ("schema", "row", "says"),
    [
        ('link = { kind = "text", among = ["bus", "ring"],', 'link = "star"\n', "link: is 'star'; allowed are bus, ring"),
        ('link = { kind = "text",', "", "link: is missing; every row of this table gives it"),
    ],
)
def test_words_of_a_list_and_columns_of_every_row_are_checked(tmp_path: Path, schema: str, row: str, says: str) -> None:
    text = SCHEMA.replace('link = { kind = "text",', schema)
    if not row:
        text = text.replace("rising =", 'required = ["link"]\nrising =')
    assert says in faults(tmp_path, {"schema.toml": text, "chips/alpha.toml": row + ALPHA + SOURCE})


def test_several_cells_may_share_a_source(tmp_path: Path) -> None:
    shared = '[sources."memory_gb, lanes"]\ntitle = "Manual"\nurl = "https://example.org/manual"\nconfidence = "manual"\n'
    row = read_specs(corpus(tmp_path, {"chips/alpha.toml": ALPHA + SOURCE + shared})).row("chips", "alpha")
    assert row is not None
    assert [row.cells[c].source.title for c in ("memory_gb", "lanes", "slow_tflops")] == ["Manual", "Manual", "Sheet"]


def test_a_cell_may_have_a_source_and_a_note_of_its_own(tmp_path: Path) -> None:
    own = '[sources.lanes]\ntitle = "Manual"\nurl = ""\npublished = "2024-03"\n[sources.memory_gb]\nnote = "with ECC"\n'
    row = read_specs(corpus(tmp_path, {"chips/alpha.toml": ALPHA + SOURCE + own})).row("chips", "alpha")
    assert row is not None
    lanes, memory = row.cells["lanes"], row.cells["memory_gb"]
    assert (lanes.source.title, lanes.source.published, lanes.source.retrieved) == ("Manual", "2024-03", "2026-11-30")
    assert (memory.source.title, memory.note, row.cells["shared"].note) == ("Sheet", "with ECC", None)


def test_a_disagreement_is_kept_with_the_sources_that_differ(tmp_path: Path) -> None:
    text = """[disagreement.memory_gb]
taken = "80 GB"
others = [{ value = "96 GB", source = "A database", url = "https://example.org/db" }]
why = { en = "as sold", zh = "出货容量" }
"""
    row = read_specs(corpus(tmp_path, {"chips/alpha.toml": ALPHA + SOURCE + text})).row("chips", "alpha")
    assert row is not None
    dispute = row.cells["memory_gb"].disagreement
    assert dispute is not None and dispute.taken == "80 GB" and dispute.why.zh == "出货容量"
    assert [(o.value, o.source.title, o.source.url) for o in dispute.others] == [
        ("96 GB", "A database", "https://example.org/db")
    ]
    assert row.cells["lanes"].disagreement is None


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (("lanes = 16", "lans = 16"), "chips/alpha.toml: lans: is no column; columns are memory_gb, slow_tflops"),
        (('"80 GB"', '"80 GiB"'), "memory_gb: is in 'GiB'; the unit of this column is GB"),
        (('"80 GB"', "80"), 'memory_gb: is 80; wants a number with its unit, like "1 GB"'),
        (('"80 GB"', '"eighty GB"'), "memory_gb: is 'eighty GB'; wants a number with its unit"),
        (('"80 GB"', '"8000 GB"'), "memory_gb: is '8000 GB'; allowed is 1 to 1000"),
        (("lanes = 16", 'lanes = "16"'), "lanes: is '16'; wants a plain number"),
        (("lanes = 16", "lanes = nan"), "lanes: is nan; wants a plain number"),
        (("lanes = 16", "lanes = true"), "lanes: is True; wants a plain number"),
        (("lanes = 16", "link = 4"), "link: is 4; wants a text"),
        (("shared = false", 'shared = "no"'), "shared: is 'no'; a flag is true or false"),
        (('"unsupported"', '"300 TFLOP/s"'), "fast_tflops: is 300, less than slow_tflops (312.5)"),
        (('id = "alpha"', 'id = "beta"'), "id: is 'beta'; it must be the name of the file, 'alpha'"),
        (('name = "Alpha 80GB"', ""), "name: is missing"),
        (('title = "Sheet"', ""), "source.title: is missing"),
        (("retrieved = 2026-11-30", ""), "source.retrieved: is missing"),
        (("retrieved = 2026-11-30", 'retrieved = "last year"'), "source.retrieved: is 'last year'; wants a date"),
        (('confidence = "datasheet"', "colour = 1"), "source: has the unknown keys colour; allowed are confidence"),
        (("shared = false", "sources = 3"), "sources: wants tables"),
        (("shared = false", "shared = "), "is not TOML"),
    ],
)
def test_a_fault_names_the_file_the_key_and_what_is_allowed(tmp_path: Path, edit: tuple[str, str], expected: str) -> None:
    assert expected in faults(tmp_path, {"chips/alpha.toml": (ALPHA + SOURCE).replace(*edit)})


def test_all_faults_of_all_files_come_at_once(tmp_path: Path) -> None:
    bad = (ALPHA + SOURCE).replace('"80 GB"', "80")
    found = faults(
        tmp_path,
        {
            "chips/alpha.toml": bad.replace("lanes = 16", "lanes = []"),
            "chips/beta.toml": bad.replace('"alpha"', '"beta"'),
            "boards/one.toml": 'id = "one"\nname = "One"\nchip_id = "gamma"\n' + SOURCE.replace("/sheet", "/other"),
            "toys/x.toml": "",
        },
    )
    for expected in (
        "chips/alpha.toml: memory_gb",
        "chips/alpha.toml: lanes",
        "chips/beta.toml: memory_gb",
        "chips/beta.toml: name: is 'Alpha 80GB', which alpha.toml has already",
        "boards/one.toml: chip_id: is 'gamma'; there is no chips/gamma.toml",
        "toys: is no table of the schema",
        "'sheet' has more than one url",
    ):
        assert expected in found


def test_a_disagreement_about_another_value_than_the_cell_is_a_fault(tmp_path: Path) -> None:
    text = '[disagreement.memory_gb]\ntaken = "96 GB"\nothers = []\nwhy = "as sold"\n[disagreement.colour]\n'
    found = faults(tmp_path, {"chips/alpha.toml": ALPHA + SOURCE + text})
    for expected in (
        "it must be the cell, '80 GB'",
        "others: wants at least one",
        "why: wants a text in both",
        "disagreement.colour",
    ):
        assert expected in found


def test_a_cell_does_not_rest_on_the_source_that_says_otherwise(tmp_path: Path) -> None:
    text = """[disagreement.memory_gb]
taken = "80 GB"
others = [{ value = "96 GB", source = "Sheet" }]
why = { en = "as sold", zh = "出货容量" }
"""
    assert "is 'Sheet', on which the cell itself rests" in faults(tmp_path, {"chips/alpha.toml": ALPHA + SOURCE + text})


def test_a_faulty_schema_is_reported(tmp_path: Path) -> None:
    schema = (
        SCHEMA.replace('kind = "flag"', 'kind = "colour"').replace('["slow_tflops"', '["sloow"').replace(', zh = "互联"', "")
    )
    found = faults(tmp_path, {"schema.toml": schema})
    for expected in (
        "shared.kind: is 'colour'",
        "chips.rising: names 'sloow'",
        "chips.columns.link: wants a text in both languages",
    ):
        assert expected in found


def test_a_missing_folder_is_a_fault_of_the_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusFault, match=r"schema.toml: cannot be read"):
        read_specs(tmp_path / "nowhere")


def test_the_compiled_copy_gives_back_the_same_book(tmp_path: Path) -> None:
    dispute = '[disagreement.lanes]\ntaken = "16"\nothers = [{ value = "8", source = "Blog" }]\nwhy = { en = "e", zh = "中" }\n'
    files = {
        "chips/alpha.toml": ALPHA + SOURCE + dispute + '[notes]\nen = "n"\nzh = "注"\n',
        "boards/one.toml": 'id = "one"\nname = "One"\nchip_id = "alpha"\n' + SOURCE,
    }
    book = read_specs(corpus(tmp_path, files))
    copy = load_specs(dump_specs(book))
    assert copy == book
    assert dump_specs(copy) == dump_specs(book)
    assert [list(row.cells) for row in copy.rows()] == [list(row.cells) for row in book.rows()]
