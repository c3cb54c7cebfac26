"""Turns that edit, correct, answer, wander off and come back; history and the reading kept give the same."""

from __future__ import annotations

from typing import Any

import pytest

from kb.types.question import Understanding
from kb.understanding import Reader


def talk(reader: Reader, turns: tuple[str, ...]) -> Understanding:
    """The last turn's reading, turn by turn; the same as over the history."""
    before = read = None
    for turn in turns:
        read = reader.read(turn, before=before)
        before = reader.kept(before, read)
    assert read is not None and read == reader.read(turns[-1], turns[:-1])
    return read


@pytest.mark.parametrize(
    ("turns", "slots"),
    [
        (("cost of 8 H100 for 10 days at $2 per GPU hour", "at $3"), {"price_per_gpu_hour": 3.0, "days": 10.0, "budget": None}),
        (("租 8 张 A100 每张每小时 10 块跑一周多少钱", "12 块呢"), {"price_per_gpu_hour": 12.0, "gpu_count": 8}),
        (("8 张 H100 训 7B 1T tokens 多久", "改成 2T"), {"tokens": 2e12, "gpu_count": 8}),
        (("70B serve on 4 A100 80G?", "no, 40G ones"), {"gpu": "a100-sxm4-40gb", "gpu_count": 4}),
        (("70B QLoRA 一张 A100 80G 够吗", "那两张 48G 的呢"), {"memory_gb": 48.0, "gpu_count": 2, "gpu": None}),
        (("7B 在 24G 卡上 lora 够吗", "16G 呢"), {"memory_gb": 16.0, "workload": "lora"}),
        (("70B int4 两张 3090", "内存 64G 够吗"), {"host_ram_gb": 64.0, "gpu": "rtx-3090"}),
        (("我想部署一个模型", "32B", "int4，上下文 16k", "要几张 4090"),
         {"parameters": 32e9, "quantization": "int4", "context_len": 16384, "gpu": "rtx-4090", "workload": "inference"}),
        (("64 A100 train 13B on 300B tokens, how long?", "what if MFU is 50%?", "H100 instead"), {"mfu": 0.5, "gpu": "h100-sxm5-80gb"}),
        (("13B 全參 8 卡 A100 夠嗎", "zero3 加 offload 呢", "那 70B 呢", "LoRA 呢"),
         {"parameters": 70e9, "workload": "lora", "zero_stage": 3, "offload": None}),
        (("Llama-3-70B KV at 8k?", "batch 16"), {"concurrency": 16, "context_len": 8192}),
        (("how long to fine-tune 8B on 50M tokens with 2 4090, lora", "4 of them?"), {"gpu_count": 4}),
        (("微调要多少显存", "Qwen2.5-7B", "全参"), {"model": "qwen2.5-7b", "workload": "full_finetune"}),
    ],
)  # fmt: skip
def test_a_follow_up_edits_what_it_names(reader: Reader, turns: tuple[str, ...], slots: dict[str, Any]) -> None:
    understood = talk(reader, turns)
    assert understood.is_follow_up
    assert {k: understood.slots.get(k) for k in slots} == slots


def test_an_aside_is_not_remembered(reader: Reader) -> None:
    assert talk(reader, ("RTX 4090 显存", "今天天气怎么样")).off_topic
    back = talk(reader, ("RTX 4090 显存", "今天天气怎么样", "那带宽呢"))
    assert back.parts[0].entities == (("accelerators", "rtx-4090"),)
    assert back.parts[0].columns == ("memory_bandwidth_gb_s",)
    assert talk(reader, ("70B 推理 8 卡 A100", "", "换成 H100")).slots["parameters"] == 70e9


def test_the_language_of_the_newest_turn_is_kept_through_a_switch(reader: Reader) -> None:
    understood = talk(reader, ("4 张 4090 跑 70B int4", "每秒多少 token", "in English please: how fast?"))
    assert understood.language == "en"
    assert understood.parts[0].wanted == ("decode_tokens_per_second",)
    assert understood.slots["gpu_count"] == 4


def test_a_card_named_by_its_memory_alone_keeps_its_name_in_the_standalone_question(reader: Reader) -> None:
    assert talk(reader, ("A100 40G 显存带宽", "80G 的呢")).question == "A100 80G 显存带宽"


def test_a_name_put_right_is_asked_what_the_wrong_one_was(reader: Reader) -> None:
    understood = talk(reader, ("H400 显存带宽多少", "打错了，是 H200"))
    assert understood.parts[0].entities == (("accelerators", "h200-sxm-141gb"),)
    assert understood.parts[0].columns == ("memory_bandwidth_gb_s",)


def test_a_cost_is_computed_once_its_figures_are_told(reader: Reader) -> None:
    assert talk(reader, ("帮我算下电费", "8 张 H100 一年，电价 0.65")).parts[0].wanted == ("cost",)


def test_bandwidth_behind_a_question_of_links_is_that_of_the_link(reader: Reader) -> None:
    assert talk(reader, ("3090 有 NVLink 吗", "带宽多少")).parts[0].columns == ("interconnect_gb_s",)
    assert talk(reader, ("3090 有 NVLink 吗", "显存带宽呢")).parts[0].columns == ("memory_bandwidth_gb_s",)


@pytest.mark.parametrize(
    ("turns", "count"),
    [
        (("Qwen2.5-32B int4 32k on a 4090 fits?", "what if i use 2 of them"), 2),
        (("Qwen2.5-32B int4 32k on a 4090 fits?", "what about two"), 2),
        (("llama 70b q4 on a 3090?", "would three of those be enough"), 3),
        (("72b awq 16k 上下文，一张4090够吗", "用两张呢"), 2),
    ],
)
def test_a_number_of_them_is_a_number_of_the_cards_spoken_of(reader: Reader, turns: tuple[str, ...], count: int) -> None:
    assert talk(reader, turns).parts[0].slots["gpu_count"] == count


def test_one_of_them_is_no_number_of_cards(reader: Reader) -> None:
    understood = talk(reader, ("70B int4 on 2 4090?", "can one of them hold the KV cache?"))
    assert understood.parts[0].slots["gpu_count"] == 2


H200_B200 = (("accelerators", "h200-sxm-141gb"), ("accelerators", "b200-sxm-180gb"))


@pytest.mark.parametrize(
    ("turns", "cards", "column"),
    [
        (("H200显存多大", "B200呢", "两个带宽差多少"), H200_B200, "memory_bandwidth_gb_s"),
        (("H200显存多大", "B200显存多大", "它俩功耗谁高"), H200_B200, "tdp_w"),
        (("H200 memory?", "B200?", "which one has more bandwidth?"), H200_B200, "memory_bandwidth_gb_s"),
        (("specs of the H200", "its bandwidth vs the B200"), H200_B200, "memory_bandwidth_gb_s"),
        (("H200 的功耗", "和 B200 比呢"), H200_B200, "tdp_w"),
        (("h200 vs b200 for serving llama 70b", "and power?"), H200_B200, "tdp_w"),
        (("H200 和 B200 跑 70B 推理哪个好", "功耗呢"), H200_B200, "tdp_w"),
    ],
)
def test_cards_named_before_are_spoken_of_together(
    reader: Reader, turns: tuple[str, ...], cards: tuple[tuple[str, str], ...], column: str
) -> None:
    part = talk(reader, turns).parts[0]
    assert (part.intent, part.columns) == ("compare", (column,))
    assert tuple(e for e in part.entities if e[0] == "accelerators") == cards


def test_the_same_is_asked_of_another_card(reader: Reader) -> None:
    part = talk(reader, ("8 张 A100 训 13B 300B token 多久", "换成 H100 差多少")).parts[0]
    assert part.wanted == ("training_time",) and part.slots["gpus"] == ["a100-sxm4-80gb", "h100-sxm5-80gb"]


def test_which_method_is_no_question_about_cards(reader: Reader) -> None:
    part = talk(reader, ("L4 和 T4 显存", "7B 的 LoRA 和 QLoRA 哪个省显存")).parts[0]
    assert part.intent != "compare" and "each" not in part.slots


@pytest.mark.parametrize(
    ("turns", "row"),
    [
        (("TDP of H100 PCIe?", "no the nvl one"), "h100-nvl-94gb"),
        (("H100 PCIe 的功耗", "不是，我说的是 NVL 版"), "h100-nvl-94gb"),
        (("H100 的功耗", "pcie版呢"), "h100-pcie-80gb"),
        (("A100 bandwidth?", "the pcie version?"), "a100-pcie-80gb"),
        (("H100 NVL power?", "sxm one"), "h100-sxm5-80gb"),
    ],
)
def test_a_form_alone_is_a_variant_of_the_card_spoken_of(reader: Reader, turns: tuple[str, ...], row: str) -> None:
    assert talk(reader, turns).parts[0].entities[0] == ("accelerators", row)


def test_a_period_alone_goes_on_with_what_was_asked(reader: Reader) -> None:
    understood = talk(reader, ("electricity cost of 4x 4090 at $0.25/kWh", "per month i mean"))
    assert understood.is_follow_up and understood.parts[0].wanted == ("cost",)


@pytest.mark.parametrize(
    ("turns", "gpus"),
    [
        (["bandwidth of the A100 PCIe 80GB?", "how does that compare to the SXM one?"], {"a100-pcie-80gb", "a100-sxm4-80gb"}),
        (["H100 PCIe 显存带宽", "和 SXM 版比呢"], {"h100-pcie-80gb", "h100-sxm5-80gb"}),
    ],
)
def test_the_other_form_of_a_card_is_held_against_it(reader: Reader, turns: list[str], gpus: set[str]) -> None:
    (part,) = reader.read(turns[-1], turns[:-1]).parts
    assert (part.intent, {id for _, id in part.entities}) == ("compare", gpus)


@pytest.mark.parametrize(
    "turns",
    [
        ["full finetune of a 13B on 4 A100 with cpu offload, does it fit?", "and if I just do lora instead"],
        ["全参微调 13B，4 张 A100，cpu offload，放得下吗", "换成 LoRA 呢"],
    ],
)
def test_adapters_keep_no_offload_of_full_fine_tuning(reader: Reader, turns: list[str]) -> None:
    slots = reader.read(turns[-1], turns[:-1]).parts[-1].slots
    assert slots["workload"] == "lora" and "offload" not in slots
    assert "offload" in reader.read(turns[0]).parts[0].slots


@pytest.mark.parametrize(
    "turns",
    [
        ["训一个 1B 模型，100B tokens，用 8 张 A100 要多久", "5 天内搞定要几张", "换成 H100 呢"],
        ["train a 1B on 100B tokens with 8 A100, how long?", "how many GPUs to get it done in 5 days?", "and with H100s?"],
    ],
)
def test_how_many_it_is_to_be_forgets_how_many_there_were(reader: Reader, turns: list[str]) -> None:
    for i in (1, 2):
        part = reader.read(turns[i], turns[:i]).parts[-1]
        assert "gpu_count" in part.wanted and "gpu_count" not in part.slots and part.slots["tokens"] == 1e11


@pytest.mark.parametrize(
    "turns",
    [
        ["does a 32B in int4 fit on one 4090?", "how much context would be left for a single user?"],
        ["32B int4 一张 4090 放得下吗", "单用户还剩多少上下文"],
    ],
)
def test_what_is_left_is_context(reader: Reader, turns: list[str]) -> None:
    assert reader.read(turns[-1], turns[:-1]).parts[-1].wanted == ("max_context_len",)


@pytest.mark.parametrize(
    ("turns", "conditions"),
    [
        (("显存大于100G的加速卡列一下", "其中NVIDIA的呢"), {("memory_gb", ">", 100.0), ("vendor", "in", ("NVIDIA",))}),
        (("which nvidia cards have 80gb or more", "and only the ones under 350 watts"),
         {("memory_gb", ">=", 80.0), ("vendor", "in", ("NVIDIA",)), ("tdp_w", "<", 350.0)}),
        (("Which AMD cards have over 100 GB?", "of those, under 800 W?"), {("vendor", "in", ("AMD",)), ("tdp_w", "<", 800.0)}),
        (("消费级显卡有哪些", "那AMD的呢", "NVIDIA 的呢"), {("kind", "one of", ("consumer GPU",)), ("vendor", "in", ("NVIDIA",))}),
    ],
)  # fmt: skip
def test_a_list_is_narrowed(reader: Reader, turns: tuple[str, ...], conditions: set[tuple[str, str, Any]]) -> None:
    part = talk(reader, turns).parts[0]
    assert part.intent == "filter" and conditions <= set(part.conditions)


@pytest.mark.parametrize(
    "turns",
    [
        ("pcie 3.0 x8 in GB/s?", "will that hurt 2 gpus doing layer split inference"),
        ("微调 chatglm3-6b 全参要多少显存", "那前面说的那个呢"),
        ("H100 显存带宽多少", "ok SLI then?"),
    ],
)
def test_a_turn_that_says_nothing_new_is_no_wish_for_the_same(reader: Reader, turns: tuple[str, ...]) -> None:
    part = talk(reader, turns).parts[0]
    assert part.unread and part.intent == "explain"


def test_the_server_spoken_of_stays_the_subject(reader: Reader) -> None:
    part = talk(reader, ("total gpu memory in a dgx h200?", "and how much system ram does it ship with")).parts[0]
    assert (part.entities, part.columns) == ((("systems", "dgx-h200"),), ("ram_gb",))


@pytest.mark.parametrize(
    ("turns", "counts"),
    [
        (("a6000, qwen 32b awq, single stream t/s?", "two of them with tp2, does it double?"), [1, 2]),
        (("4090 跑 qwen 32b int4 每秒多少token", "上四张能翻倍吗"), [1, 4]),
        (("7B on one A100, 1B tokens full fine-tune, how long?", "with 2 A100s is it twice as fast?"), [1, 2]),
    ],
)
def test_whether_more_cards_are_twice_as_fast_is_asked_of_both_numbers(
    reader: Reader, turns: tuple[str, ...], counts: list[int]
) -> None:
    part = talk(reader, turns).parts[0]
    assert part.slots["each"] == ("gpu_count", counts)
    assert set(part.wanted) & {"decode_tokens_per_second", "training_time"}


def test_what_ran_out_of_memory_is_told_in_the_turns_after(reader: Reader) -> None:
    understood = talk(reader, ("怎么又爆了", "就是微调啊", "7b，24G单卡，lora，长度4096，bs2"))
    assert understood.parts[0].intent == "troubleshoot"
    assert understood.slots["workload"] == "lora" and understood.slots["memory_gb"] == 24.0


def test_methods_with_a_frozen_base_are_computed_as_lora_and_say_so(reader: Reader) -> None:
    understood = talk(reader, ("微调chatglm3-6b全参要多少显存", "那ptuning呢"))
    assert understood.slots["workload"] == "lora" and "ptuning" in understood.assumed["question"]
    saved = talk(reader, ("llama3.1-8b全参checkpoint带优化器多大", "save_only_model呢"))
    assert saved.slots["weights_only"] and "with_optimizer" not in saved.slots


def test_of_em_is_of_them(reader: Reader) -> None:
    before = reader.read("13b, 300b tokens on 64 a100, 50% mfu, days?")
    assert reader.read("what if 128 of em", before=before).slots["gpu_count"] == 128


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("do 4090s have nvlink? if not does the 3090 n how fast", ("interconnect_gb_s",)),
        ("does the 4090 have nvlink? does the 3090?", ("interconnect_name",)),
        ("4090有NVLink吗？没有的话3090呢", ("interconnect_name",)),
    ],
)
def test_of_another_card_the_same_is_asked(reader: Reader, text: str, columns: tuple[str, ...]) -> None:
    part = reader.read(text).parts[1]
    assert (part.intent, part.columns, part.entities) == ("lookup", columns, (("accelerators", "rtx-3090"),))


def test_a_share_of_use_is_no_length(reader: Reader) -> None:
    slots = reader.read("8xh100 box 310k usd vs 1.99/gpu/hr, breakeven @ 100% use").slots
    assert slots["utilization"] == 1 and "context_len" not in slots
    assert reader.read("13b lora @ 4096 on a 4090").slots["seq_len"] == 4096


@pytest.mark.parametrize(
    "turn", ["no rackmount pls", "quiet under a desk", "is it worth the money", "放宿舍会不会很吵", "值得吗"]
)
def test_a_turn_of_a_conversation_about_hardware_is_never_off_topic_by_its_words_alone(reader: Reader, turn: str) -> None:
    assert not talk(reader, ("70B 推理 8 卡 A100" if turn > "z" else "70B on 8x A100?", turn)).off_topic
    assert talk(reader, (turn,)).off_topic


@pytest.mark.parametrize("turn", ["今天天气怎么样", "who won the football match", "tell me a joke about dogs"])
def test_a_turn_about_another_field_stays_off_topic(reader: Reader, turn: str) -> None:
    assert talk(reader, ("70B 推理 8 卡 A100", turn)).off_topic


@pytest.mark.parametrize(
    ("turns", "order"),
    [
        (("显存48G以上的专业卡有哪些", "带宽最高的是哪个"), ("memory_bandwidth_gb_s", "top", 1)),
        (("显存48G以上的专业卡有哪些", "哪个功耗最低"), ("tdp_w", "bottom", 1)),
        (("显存48G以上的专业卡有哪些", "按带宽排个序"), ("memory_bandwidth_gb_s", "falling", 0)),
        (("显存48G以上的专业卡有哪些", "功耗呢"), ("tdp_w", "falling", 0)),
        (("list workstation cards with at least 48GB", "which one draws the least power"), ("tdp_w", "bottom", 1)),
        (("list workstation cards with at least 48GB", "and the fastest memory?"), ("memory_bandwidth_gb_s", "top", 1)),
        (("list workstation cards with at least 48GB", "sort by bandwidth"), ("memory_bandwidth_gb_s", "falling", 0)),
    ],
)
def test_cards_that_were_listed_are_put_in_the_order_asked_for(
    reader: Reader, turns: tuple[str, ...], order: tuple[str, str, int]
) -> None:
    part = reader.read(turns[-1], turns[:-1]).parts[0]
    assert part.intent == "filter"
    assert {c for c in part.conditions if c[0] != "kind"} == {("memory_gb", ">=", 48), order}
