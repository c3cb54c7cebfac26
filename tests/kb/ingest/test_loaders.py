"""A user's files: each kind is read, bad ones are refused with the remedy, and the same file is the same document."""

import io
import unicodedata

import docx
import pypdf
import pytest

from kb.errors import DocumentFault
from kb.ingest.loaders import document_id, find_documents, language, load_document, other_files, read_document
from kb.ingest.loaders.pdf import unwrap
from kb.ingest.loaders.text import decode

PAGE = """<!doctype html><html><head><title>Rack power | Example</title><meta charset="utf-8"></head><body>
<nav><a href="/">Home</a> <a href="/b">Blog</a></nav>
<article><h1>Planning rack power</h1>
<p>An eight GPU server may draw ten kilowatts, so a rack with a limit of twenty
holds two of them at the most, and one is safer.</p>
<p>A training run of 3.8×10<sup>25</sup> operations keeps every one of
these servers near its limit for weeks on end, day and night.</p>
<table><tr><th>Server</th><th>Power</th></tr><tr><td>Eight GPUs</td><td>10.2 kW</td></tr></table>
<p>Leave a margin for fans and pumps, and measure at the rack before the
second server goes in, because figures are averages.</p>
</article><footer>Copyright</footer></body></html>"""


def write(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def pdf_with(*pages):
    """A PDF with a text line a page, made by hand: pypdf reads but does not set text."""
    writer = pypdf.PdfWriter()
    font = pypdf.generic.DictionaryObject(
        {
            pypdf.generic.NameObject("/Type"): pypdf.generic.NameObject("/Font"),
            pypdf.generic.NameObject("/Subtype"): pypdf.generic.NameObject("/Type1"),
            pypdf.generic.NameObject("/BaseFont"): pypdf.generic.NameObject("/Helvetica"),
        }
    )
    for lines in pages:
        page = writer.add_blank_page(600, 800)
        stream = pypdf.generic.DecodedStreamObject()
        body = "".join(f"({line}) Tj 0 -14 Td " for line in lines)
        stream.set_data(f"BT /F1 12 Tf 50 750 Td {body} ET".encode() if lines else b"")
        page[pypdf.generic.NameObject("/Contents")] = writer._add_object(stream)
        fonts = pypdf.generic.DictionaryObject({pypdf.generic.NameObject("/F1"): font})
        page[pypdf.generic.NameObject("/Resources")] = pypdf.generic.DictionaryObject(
            {pypdf.generic.NameObject("/Font"): fonts}
        )
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def word_file():
    document = docx.Document()
    document.add_heading("机柜供电", 0)
    document.add_heading("余量", 1)
    document.add_paragraph("每个机柜留三成余量。")
    document.add_paragraph("先测再装", style="List Bullet")
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ("设备", "功率", "八卡服务器", "10.2 kW"), strict=True):
        cell.text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_markdown_keeps_its_structure_and_gives_its_title(tmp_path):
    path = write(
        tmp_path, "a.md", "---\ntitle: 供电\nurl: https://example.org/p\ndate: 2025-03-01\n---\n# 机柜供电\n\n留三成余量。"
    )
    document = read_document(path)
    assert (document.title, document.url, document.published) == ("供电", "https://example.org/p", "2025-03-01")
    assert document.text == "# 机柜供电\n\n留三成余量。"
    assert (document.language, document.kind, document.collection) == ("zh", "article", "default")


def test_a_page_gives_its_article_with_table_and_exponents_and_without_navigation(tmp_path):
    document = read_document(write(tmp_path, "p.html", PAGE))
    assert "10^25" in document.text
    assert "| Eight GPUs | 10.2 kW |" in document.text
    assert "Blog" not in document.text
    assert document.title.startswith("Planning rack power")
    assert document.language == "en"


def test_a_page_without_an_article_gives_its_text(tmp_path):
    document = read_document(write(tmp_path, "p.htm", "<html><body><p>供电：10 kW</p><div>散热：水冷</div></body></html>"))
    assert document.text == "供电：10 kW\n\n散热：水冷"


@pytest.mark.parametrize("charset", ["gb2312", "big5", "utf-8"])
def test_a_page_is_read_in_the_charset_it_declares(tmp_path, charset):
    body = f'<html><head><meta charset="{charset}"></head><body><p>先看供电再看散熱</p></body></html>'
    text = body if charset != "gb2312" else body.replace("散熱", "散热")
    document = read_document(write(tmp_path, "p.html", text.encode(charset if charset != "big5" else "big5hkscs", "ignore")))
    assert document.text.startswith("先看")


def test_a_pdf_gives_the_text_of_all_pages(tmp_path):
    document = read_document(write(tmp_path, "d.pdf", pdf_with(["Rack power planning."], ["Leave a margin of a third."])))
    assert "Rack power planning." in document.text
    assert "Leave a margin" in document.text


def test_wrapped_lines_are_joined_and_list_items_are_not():
    wrapped = "The optimizer states of mixed preci-\nsion training take up most of the\nmemory.\n- one item that is long\n- two"
    assert unwrap(wrapped) == (
        "The optimizer states of mixed precision training take up most of the memory.\n- one item that is long\n- two"
    )
    assert unwrap("显存主要由四部\n分组成，其中优化\n器状态最大。") == "显存主要由四部分组成，其中优化器状态最大。"


def test_a_word_file_gives_headings_lists_and_tables(tmp_path):
    document = read_document(write(tmp_path, "d.docx", word_file()))
    assert document.title == "机柜供电"
    assert "## 余量" in document.text
    assert "- 先测再装" in document.text
    assert "| 设备 | 功率 |\n| --- | --- |\n| 八卡服务器 | 10.2 kW |" in document.text


CHINESE = "机柜的供电与散热要一起规划，先算功率再算风量。" * 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk"])
def test_chinese_text_is_read_in_any_encoding(encoding):
    assert decode(CHINESE.encode(encoding))[0] == CHINESE


def test_traditional_text_is_read_from_big5():
    text = "機櫃的供電與散熱要一起規劃，先算功率再算風量。" * 3
    assert decode(text.encode("big5"))[0] == text


def test_a_bad_byte_costs_one_character_and_is_flagged(tmp_path):
    data = CHINESE.encode()
    loaded = load_document(write(tmp_path, "a.txt", data[:30] + b"\xff" + data[30:]))
    assert loaded.document.text.replace("\ufffd", "") == CHINESE
    assert [f.kind for f in loaded.repaired.flags] == ["replacement_char"]


def test_text_is_composed_and_repaired(tmp_path):
    loaded = load_document(write(tmp_path, "a.txt", "cafe\u0301 显\u200b存\u00a080GB"))
    assert loaded.document.text == "café 显存 80GB"
    assert unicodedata.is_normalized("NFC", loaded.document.text)
    assert {r.kind for r in loaded.repaired.repairs} == {"nfc", "width_space"}


def test_a_removed_source_line_becomes_the_address(tmp_path):
    document = read_document(write(tmp_path, "a.txt", "机柜供电\n\n留三成余量。\n\n本文链接：https://example.org/a/1.html"))
    assert document.url == "https://example.org/a/1.html"
    assert document.title == "机柜供电"


def test_the_same_file_is_the_same_document_and_another_is_not(tmp_path):
    path = write(tmp_path, "机柜 Power.txt", "one line of text")
    first = read_document(path, "ops")
    path.write_text("another line of text")
    assert read_document(path, "ops").id == first.id
    assert first.id.startswith("ops/机柜-power-")
    (tmp_path / "sub").mkdir()
    assert document_id(tmp_path / "sub" / "机柜 Power.txt", "ops") != first.id


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.txt", b""),
        ("blank.md", b" \n\t "),
        ("photo.txt", bytes(range(256)) * 8),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Cat"),
        ("cut.docx", word_file()[:2000]),
        ("blank.pdf", pdf_with([])),
        ("script.html", b"<html><body><script>draw()</script></body></html>"),
        ("sheet.xlsx", b"PK"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_remedy_in_both_languages(tmp_path, name, data):
    path = write(tmp_path, name, data)
    with pytest.raises(DocumentFault) as raised:
        read_document(path)
    assert str(path) in raised.value.en and str(path) in raised.value.zh
    assert raised.value.en != raised.value.zh


def test_a_missing_or_huge_file_is_refused(tmp_path, monkeypatch):
    with pytest.raises(DocumentFault, match="cannot be opened"):
        read_document(tmp_path / "none.txt")
    monkeypatch.setattr("kb.ingest.loaders.LARGEST", 10)
    with pytest.raises(DocumentFault, match="Split it"):
        read_document(write(tmp_path, "a.txt", "more than ten bytes"))


def test_folders_are_searched_and_other_kinds_reported(tmp_path):
    (tmp_path / "sub").mkdir()
    a, b = write(tmp_path, "b.md", "x"), write(tmp_path / "sub", "a.TXT", "x")
    other = write(tmp_path, "c.xlsx", "x")
    write(tmp_path, ".hidden.md", "x")
    assert find_documents([tmp_path, a]) == (a, b)
    assert other_files([tmp_path]) == (other,)
    with pytest.raises(DocumentFault):
        find_documents([other])
    with pytest.raises(DocumentFault):
        find_documents([tmp_path / "nowhere"])


def test_language_goes_by_script():
    assert language("H100 的 NVLink 带宽是 900 GB/s") == "zh"
    assert language("The vendor 华为 sells cards with much memory") == "en"
