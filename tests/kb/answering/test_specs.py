"""What spec answers say: who has more, what ranks first, where figures come from, which sources disagree."""

from __future__ import annotations

import pathlib
from functools import cache
from typing import Any

import pytest

from kb.answering.cite import Composer
from kb.answering.draft import Draft
from kb.answering.tables.comparing import compare
from kb.answering.tables.filtering import LONGEST, select
from kb.answering.tables.lookup import lookup
from kb.answering.wording import Wording
from kb.ingest.specs import read_specs
from kb.types.question import Part
from kb.types.specs import SpecBook

CORPUS = pathlib.Path(__file__).parents[3] / "corpus"


@cache
def book() -> SpecBook:
    return read_specs(CORPUS / "specs")


def said(state: Any, language: Any = "en", **part: Any) -> tuple[Draft, str]:
    draft = Draft(Composer(language), Wording(language))
    intent = {lookup: "lookup", compare: "compare", select: "filter"}[state]
    assert state(Part(intent, "", **part), book(), draft)
    text, _ = draft.composer.finish()
    assert not draft.composer.dropped
    return draft, text


def chips(*ids: str) -> tuple[tuple[str, str], ...]:
    return tuple(("accelerators", id) for id in ids)


def test_a_comparison_of_two_says_who_has_more_or_less_from_the_first_ones_side() -> None:
    link = ("interconnect_gb_s",)
    _, less = said(compare, entities=chips("h800-sxm5-80gb", "h100-sxm5-80gb"), columns=link)
    assert "H800 SXM5 80GB has 500 GB/s (55.6 %) less than H100 SXM5 80GB, which has 2.25 times as much" in less
    _, more = said(compare, "zh", entities=chips("h100-sxm5-80gb", "h800-sxm5-80gb"), columns=link)
    assert "H100 SXM5 80GB 比 H800 SXM5 80GB 多 500 GB/s（125 %），是后者的 2.25 倍" in more


def test_each_export_variant_is_held_against_its_original() -> None:
    entities = chips("a800-sxm4-80gb", "h800-sxm5-80gb", "a100-sxm4-80gb", "h100-sxm5-80gb")
    draft, text = said(compare, "zh", entities=entities, columns=("interconnect_gb_s",))
    assert "少 200 GB/s" in text and "少 500 GB/s" in text
    assert [v.value for v in draft.composer.values if v.name == "difference"] == [200, 500]


def test_of_three_the_leader_is_named_with_its_ratios() -> None:
    entities = chips("a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm-141gb")
    _, text = said(compare, entities=entities, columns=("memory_bandwidth_gb_s",))
    assert "H200 SXM 141GB has the most, 4800 GB/s: 1.43 times H100 SXM5 80GB" in text


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "Memory capacity, all together: 4 × NVIDIA L40S 192 GB, 1 × H100 SXM5 80GB 80 GB"),
        ("zh", "4 × NVIDIA L40S 192 GB"),
    ],
)
def test_of_unequal_numbers_of_cards_the_sums_are_told(language: Any, says: str) -> None:
    _, text = said(compare, language, entities=chips("l40s", "h100-sxm5-80gb"), slots={"gpu_counts": [4, 1]})
    assert says in text and "32 GB" not in text


def test_equal_figures_are_called_equal() -> None:
    _, text = said(compare, entities=chips("h100-sxm5-80gb", "a100-sxm4-80gb"), columns=("memory_gb",))
    assert "have the same memory capacity: 80 GB" in text


def test_a_ranking_gives_as_many_rows_as_asked_in_order() -> None:
    maker = ("vendor", "in", ("AMD",))
    draft, _ = said(select, conditions=(("memory_bandwidth_gb_s", "top", 3.0), maker))
    assert draft.composer.table is not None
    shown = [float(row[1].split()[0]) for row in draft.composer.table.rows]
    assert len(shown) >= 3 and shown == sorted(shown, reverse=True)
    best = max(r.number("memory_bandwidth_gb_s") or 0 for r in book().rows("accelerators") if r.text("vendor") == "AMD")
    assert shown[0] == best


def test_the_fewest_of_a_column_can_be_asked_of_any_table() -> None:
    draft, _ = said(select, conditions=(("cores", "bottom", 1.0),))
    least = min(r.number("cores") or 0 for r in book().rows("cpus"))
    assert draft.composer.table and all(float(row[1]) == least for row in draft.composer.table.rows)


def test_cards_that_hold_a_model_are_found_although_the_question_names_only_the_model() -> None:
    draft, text = said(select, entities=(("models", "llama3-70b"),), conditions=(("memory_gb", ">=", 141.1),))
    assert "weights alone take 141.1 GB" in text and draft.composer.table
    names = {row[0] for row in draft.composer.table.rows}
    assert "Instinct MI300X" in names and "H100 SXM5 80GB" not in names


def test_a_long_list_stays_readable_and_the_table_whole() -> None:
    draft, text = said(select, conditions=(("memory_gb", ">=", 1.0),))
    assert draft.composer.table and len(draft.composer.table.rows) > 100
    assert text.count("\n| ") == LONGEST + 2 and f"{len(draft.composer.table.rows) - LONGEST} more meet it" in text


@pytest.mark.parametrize("text", ["list all cards that have memory", "把有显存的卡全部列出来"])
def test_a_list_asked_whole_is_told_whole(text: str) -> None:
    draft = Draft(Composer("en"), Wording("en"))
    assert select(Part("filter", text, conditions=(("memory_gb", ">=", 1.0),)), book(), draft)
    shown, _ = draft.composer.finish()
    assert draft.composer.table and shown.count("\n| ") == len(draft.composer.table.rows) + 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_card_as_a_bound_is_told_and_is_not_in_the_list(language: Any) -> None:
    bound = ("memory_bandwidth_gb_s", ">", 3350.0)
    draft, text = said(select, language, entities=chips("h100-sxm5-80gb"), conditions=(bound,))
    assert text.startswith(("Memory bandwidth of H100 SXM5 80GB: 3350", "H100 SXM5 80GB 的显存带宽：3350"))
    assert draft.composer.table and "H100 SXM5 80GB" not in {row[0] for row in draft.composer.table.rows}


@pytest.mark.parametrize(("row", "says"), [("jetson-agx-thor-128gb", "来自常识"), ("a800-sxm4-80gb", "二手来源")])
def test_an_answer_says_once_when_its_figures_are_not_from_a_data_sheet(row: str, says: str) -> None:
    _, text = said(lookup, "zh", entities=chips(row), columns=("memory_gb", "memory_type"))
    assert text.count(says) == 1


def test_sources_that_disagree_are_shown_with_the_one_followed() -> None:
    draft, text = said(lookup, entities=chips("mi325x"), columns=("memory_gb",))
    (dispute,) = draft.disputes
    assert dispute.taken.quote == "256 GB" and [o.quote for o in dispute.others] == ["288 GB (≠ 256 GB)"]
    assert "prints 288 GB; this answer follows 256 GB" in text and dispute.why


def test_what_is_disputed_may_be_a_word() -> None:
    _, text = said(lookup, entities=chips("a100-sxm4-40gb"), columns=("memory_type",))
    assert "prints HBM2e; this answer follows HBM2" in text


def test_a_rate_is_told_with_what_it_is_made_of_and_a_total_with_what_is_active() -> None:
    _, link = said(lookup, entities=(("interconnects", "nvlink4"),), columns=("gb_s_per_direction",))
    assert "450 GB/s" in link and "links per GPU 18" in link
    _, mixture = said(lookup, entities=(("models", "mixtral-8x7b"),), columns=("params_total", "moe_experts"))
    assert "46.7B" in mixture and "12.9B" in mixture and "routed experts per token 2" in mixture
    _, dense = said(lookup, entities=(("models", "llama3-8b"),), columns=("params_total",))
    assert "active" not in dense


@pytest.mark.parametrize(("language", "says"), [("en", "do not hold the process node"), ("zh", "没有收录 NVIDIA L4 的制程")])
def test_a_property_that_no_table_holds_is_said_to_be_missing(language: Any, says: str) -> None:
    _, text = said(lookup, language, entities=chips("l4"), columns=("process_node", "tdp_w"))
    assert says in text and "72 W" in text
    _, alone = said(lookup, language, entities=chips("l4"), columns=("process_node",))
    assert says in alone and "24 GB" not in alone


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_sparse_rate_follows_from_what_the_maker_prints_or_is_said_to_be_missing(language: Any) -> None:
    sparse = {"columns": ("fp4_dense_tflops*sparsity_factor", "fp4_dense_tflops")}
    draft, text = said(lookup, language, entities=chips("b200-sxm-180gb"), **sparse)
    assert "18000 TFLOP/s" in text and "9000 TFLOP/s" in text and "18 PFLOP/s" in text
    assert [v.value for v in draft.composer.values] == [18000, 9000]
    _, none = said(lookup, language, entities=chips("b300-sxm-270gb"), **sparse)
    assert "28000" not in none and "14000 TFLOP/s" in none and ("only" in none or "只有稠密值" in none)


def test_columns_of_another_table_do_not_stand_in_the_way() -> None:
    _, text = said(lookup, entities=(("cpus", "epyc-9654"), ("interconnects", "nvlink5")), columns=("cores", "tdp_w"))
    assert "cores 96" in text and "1800 GB/s" in text


@pytest.mark.parametrize(
    ("language", "one", "tied"),
    [
        ("en", "NVIDIA A2 has the lowest power (TDP): 60 W", "share the lowest power (TDP)"),
        ("zh", "功耗（TDP）最低的是 NVIDIA A2：60 W", "项并列"),
    ],
)
def test_the_first_of_a_ranking_is_named_in_a_sentence(language: Any, one: str, tied: str) -> None:
    least = ("tdp_w", "bottom", 1)
    _, text = said(select, language, conditions=(("kind", "one of", ("data centre GPU",)), least))
    assert one in text
    _, several = said(select, language, conditions=(("kind", "one of", ("workstation GPU",)), least))
    assert tied in several


def test_listed_cards_are_sorted_by_a_column() -> None:
    order = (("fp8_dense_tflops", "falling", 0),)
    draft, _ = said(select, entities=chips("h100-sxm5-80gb", "b200-sxm-180gb", "mi300x"), conditions=order)
    assert draft.composer.table and [row[0] for row in draft.composer.table.rows] == [
        "B200 SXM 180GB",
        "Instinct MI300X",
        "H100 SXM5 80GB",
    ]


@pytest.mark.parametrize(("language", "label"), [("en", "memory capacity per watt"), ("zh", "每瓦显存容量")])
def test_a_ratio_of_columns_is_computed_and_cites_both(language: Any, label: str) -> None:
    draft, text = said(select, language, conditions=(("kind", "one of", ("data centre GPU",)), ("memory_gb/tdp_w", "top", 1)))
    best = max(
        (r.number("memory_gb") or 0) / r.number("tdp_w")
        for r in book().rows("accelerators")
        if r.text("kind") == "data centre GPU" and r.number("tdp_w")
    )  # type: ignore[operator]
    (value,) = [v for v in draft.composer.values if v.name == "memory_gb/tdp_w"]
    assert label in text and value.value == best and "[2]" in text


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "H100 SXM5 80GB is the faster one for training: BF16 dense compute"),
        ("zh", "训练更快的是 H100 SXM5 80GB：BF16 稠密算力"),
    ],
)
def test_who_is_better_for_a_use_goes_by_the_column_that_decides(language: Any, says: str) -> None:
    decision = (("training", "best", ("bf16_dense_tflops", "memory_bandwidth_gb_s")),)
    draft, text = said(compare, language, entities=chips("a100-sxm4-80gb", "h100-sxm5-80gb"), conditions=decision)
    assert says in text and "3.17" in text
    assert draft.composer.table and len(draft.composer.table.columns) == 3


@pytest.mark.parametrize(
    ("language", "says"),
    [("en", "1307.4 TFLOP/s (1.31 PFLOP/s)"), ("zh", "1307.4 TFLOP/s（1.31 PFLOP/s）")],
)
def test_the_larger_unit_of_a_rate_is_supported_where_it_is_rounded(language: Any, says: str) -> None:
    decision = (("training", "best", ("bf16_dense_tflops",)),)
    _, text = said(compare, language, entities=chips("h200-sxm-141gb", "mi300x"), conditions=decision)
    assert says in text.partition("|")[0]
    top = (("bf16_dense_tflops", "top", 1),)
    listed = chips("a100-sxm4-80gb", "mi300x")
    _, text = said(select, language, entities=listed, columns=("bf16_dense_tflops",), conditions=top)
    assert says in text.partition("|")[0]


def test_what_is_alike_leaves_the_choice_to_the_next_column() -> None:
    decision = (("inference", "best", ("memory_bandwidth_gb_s", "bf16_dense_tflops")),)
    _, text = said(compare, entities=chips("l20", "l40s", "l40"), conditions=decision)
    assert "the same memory bandwidth: 864 GB/s" in text and "NVIDIA L40S is the faster one for the prompt: BF16" in text


@pytest.mark.parametrize(
    ("op", "en", "zh"),
    [(">", "No. Memory bandwidth", "不是。"), ("<", "Yes. Memory bandwidth", "是的。"), ("x2", "No. ", "不是。")],
)
def test_a_claim_about_two_is_answered_with_yes_or_no(op: str, en: str, zh: str) -> None:
    column = "memory_bandwidth_gb_s"
    of = {"entities": chips("l4", "t4"), "columns": (column,), "conditions": ((column, op, (column,)),)}
    assert said(compare, "en", **of)[1].startswith(en) and said(compare, "zh", **of)[1].startswith(zh)


def test_cards_of_one_rate_are_told_apart_by_the_format_in_which_they_differ() -> None:
    _, text = said(compare, entities=chips("b200-sxm-180gb", "b300-sxm-270gb"))
    assert "FP4 dense compute: B200 SXM 180GB has 5000 TFLOP/s" in text
    _, plain = said(compare, entities=chips("h100-sxm5-80gb", "h200-sxm-141gb"))
    assert "FP4" not in plain


def test_a_disagreement_is_told_in_a_comparison_only_where_it_turns_the_order() -> None:
    column = {"columns": ("memory_bandwidth_gb_s",)}
    assert not said(compare, entities=chips("b200-sxm-180gb", "a100-sxm4-80gb"), **column)[0].disputes
    assert said(compare, entities=chips("l4", "t4"), **column)[0].disputes


def test_a_price_that_no_row_has_is_said_to_be_missing() -> None:
    _, text = said(compare, entities=chips("a40", "a30"), columns=("msrp_usd",))
    assert "No source on file gives launch price (MSRP) of NVIDIA A40" in text and "|" not in text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Others give a figure all the same: Epoch AI ML-hardware table prints 340 W"),
        ("zh", "其他来源仍给出数值：Epoch AI"),
    ],
)
def test_an_estimate_of_what_its_maker_does_not_publish_is_told_as_one(language: str, words: str) -> None:
    draft, text = said(lookup, language, entities=chips("tpu-v4"), columns=("tdp_w",))
    assert words in text and draft.disputes[0].taken.quote == "not published"


@pytest.mark.parametrize(
    ("language", "told", "open_"),
    [
        (
            "en",
            "“{title}” does not publish power (TDP) of {name} (read {day})",
            "No source on file gives release year of {name}",
        ),
        ("zh", "“{title}”未公布 {name} 的功耗（TDP）（{day} 查阅）", "现有资料均未给出 {name} 的发布年份"),
    ],
)
def test_a_source_read_in_vain_is_named_and_what_nobody_read_is_left_open(language: str, told: str, open_: str) -> None:
    columns = {"unpublished": "tdp_w", "unknown": "release_year"}
    states = {s: next(r for r in book().rows("accelerators") if r.cells[c].state == s) for s, c in columns.items()}
    source = states["unpublished"].cells["tdp_w"].source
    expected = {
        "unpublished": told.format(title=source.title, name=states["unpublished"].name, day=source.retrieved),
        "unknown": open_.format(name=states["unknown"].name),
    }
    for state, row in states.items():
        _, text = said(lookup, language, entities=chips(row.id), columns=(columns[state],))
        assert expected[state] in text
    compared = chips(*(r.id for r in states.values()), "h100-sxm5-80gb")
    _, table = said(compare, language, entities=compared, columns=tuple(columns.values()))
    assert all(word in table for word in {"en": ("not published", "not on file"), "zh": ("未公布", "暂无资料")}[language])


def needing(gb: float, **slots: Any) -> dict[str, Any]:
    return {"conditions": (("memory_gb", ">=", gb),), "slots": {"parameters": gb / 2 * 1e9, **slots}}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_budget_in_dollars_bounds_the_launch_price(language: Any) -> None:
    draft, text = said(select, language, conditions=(("memory_gb", ">=", 24.0),), slots={"budget": 1800.0, "currency": "USD"})
    cards = {row[0]: row for row in draft.composer.table.rows} if draft.composer.table else {}
    assert "RTX 4090" in cards and "RTX 5090" not in cards and Wording(language)("launch_undated_all") in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_weights_of_fewer_bits_are_tried_where_no_affordable_card_takes_sixteen(language: Any) -> None:
    draft, text = said(select, language, **needing(64.0, budget=2000.0, currency="USD"))
    assert "int4" in text and "RTX 4090" in text and "int8" not in text
    assert draft.composer.table and all(float(row[1].split()[0]) > 16 for row in draft.composer.table.rows)


def test_a_named_precision_is_kept_where_nothing_is_affordable() -> None:
    _, text = said(select, **needing(64.0, budget=2000.0, currency="USD", quantization="bf16"))
    assert "No entry of the table meets" in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_budget_in_another_currency_is_said_not_to_be_applied(language: Any) -> None:
    _, text = said(select, language, **needing(64.0, budget=20000.0, currency="CNY"))
    assert Wording(language)("budget_not_applied") in text


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("A6000 和 RTX 6000 Ada 哪个能插 NVLink 桥", "RTX 6000 Ada 没有 NVLink"),
        ("Which of RTX A6000 and RTX 6000 Ada has NVLink?", "has no NVLink"),
    ],
)
def test_which_of_two_has_a_link_is_said(knowledge: Any, question: str, denied: str) -> None:
    assert denied in knowledge.ask(question).text.split("\n")[0]


def test_the_bandwidth_of_a_bridge_is_said_to_hold_between_bridged_cards_only() -> None:
    link = ("interconnect_gb_s",)
    _, one = said(lookup, entities=chips("h100-pcie-80gb"), columns=link)
    assert "holds between bridged cards only (NVLink 4 bridge (2 GPUs)); with every other card" in one and "PCIe 5.0 x16" in one
    _, two = said(compare, "zh", entities=chips("a100-pcie-80gb", "a100-sxm4-80gb"), columns=link)
    assert two.count("只在桥接的卡之间有效") == 1 and "PCIe 4.0 x16" in two
    _, switched = said(lookup, entities=chips("h100-sxm5-80gb"), columns=link)
    assert "bridged" not in switched


@pytest.mark.parametrize(
    ("text", "card", "opening"),
    [
        ("RTX A4000是单槽吗", "rtx-a4000", "是的。"),
        ("4090是双槽吗", "rtx-4090", "不是。"),
        ("is the L4 low profile?", "l4", "Yes. "),
        ("is the 3090 a dual slot card?", "rtx-3090", "No. "),
        ("is the A10 low profile?", "a10", "NVIDIA A10"),  # of which the table does not tell
    ],
)
def test_whether_a_board_has_a_shape_is_answered_first(text: str, card: str, opening: str) -> None:
    draft = Draft(Composer("zh" if "是" in text else "en"), Wording("zh" if "是" in text else "en"))
    assert lookup(Part("lookup", text, entities=chips(card), columns=("form_factor",)), book(), draft)
    assert draft.composer.finish()[0].startswith(opening)
