"""How figures, units and names stand in the sentences of an answer."""

import re

import pytest

from kb.answering.render import value_text
from kb.answering.wording import Wording
from kb.api import KnowledgeBase
from kb.types.answer import Value


@pytest.mark.parametrize(
    ("key", "parts", "sentence"),
    [
        ("at_value:on", {"value": "X1 9", "label": "解码速度"}, "X1 9 上解码速度"),
        ("at_value", {"value": "ZeRO-2", "label": "KV 缓存"}, "ZeRO-2 时 KV 缓存"),
        ("of", {"what": "7B 推理", "label": "显存合计"}, "7B 推理的显存合计"),
        ("op:lacks", {"label": "FP8"}, "不支持 FP8"),
        ("op:lacks", {"label": "桥接"}, "不支持桥接"),
    ],
)
def test_latin_letters_and_figures_stand_off_from_han_characters(key: str, parts: dict[str, str], sentence: str) -> None:
    assert Wording("zh")(key, **parts) == sentence


@pytest.mark.parametrize(
    ("line", "en", "zh"),
    [
        ("x = 4 × 1.5 day = 144 GPU-h", "x = 4 × 1.5 days = 144 GPU-hours", "x = 4 × 1.5 天 = 144 卡时"),
        ("x = 2 CNY/h × 3 h", "x = 2 CNY/hour × 3 hours", "x = 2 元/小时 × 3 小时"),
        ("x = 9 kWh × 0.6 EUR/kWh", "x = 9 kWh × 0.6 EUR/kWh", "x = 9 kWh × 0.6 欧元/kWh"),
        ("x = 9 GiB / 936 GB/s", "x = 9 GiB / 936 GB/s", "x = 9 GiB / 936 GB/s"),
        ("x = 3 FLOP/token × 2 B", "x = 3 FLOP/token × 2 B", "x = 3 FLOP/token × 2 B"),
    ],
)
def test_units_of_a_calculation_are_words_of_the_language(line: str, en: str, zh: str) -> None:
    assert (Wording("en").spelled(line), Wording("zh").spelled(line)) == (en, zh)


def test_gpu_hours_keep_their_unit_in_the_interval() -> None:
    value = Value("gpu_hours", 900.0, "h", low=800.0, high=1000.0)
    assert value_text(value, Wording("zh")) == "900 卡时（80% 区间 800–1000 卡时）"
    assert value_text(value, Wording("en")) == "900 GPU-hours (80 % interval 800–1000 GPU-hours)"


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("租 8 张 A100 每卡每小时 12 元，训练 3 天多少钱", "6912 元", "CNY"),
        ("租 4 張 H100，每張每小時 2.5 美元，跑 36 小時要多少？", "360 美元", "USD"),
        ("3090 和 4090 跑 Qwen3-14B int4，生成速度各是多少", "RTX 3090 为 88.4 token/s", "RTX 3090 时"),
        ("用 8 张 H100 训练 1.5B、1000 亿 token，MFU 40% 要几天", "3.29 天", " day"),
    ],
)
def test_units_and_places_are_said_as_people_say_them(question: str, has: str, lacks: str, knowledge: KnowledgeBase) -> None:
    text = knowledge.ask(question).text
    assert has in text and lacks not in text


@pytest.mark.parametrize(
    ("question", "has", "lacks"),
    [
        ("Qwen2.5-72B 单条 32k 上下文的 KV cache 多大", ["并发数 1"], ["GPU 张数", "量化"]),
        ("how big is the KV cache of Llama 3 70B at 16k?", ["concurrent requests 1"], ["GPUs 1", "quantization"]),
        ("Llama-2-7B took 184,320 A100 hours. how many days is that on 64 cards", ["120 days"], ["Assumed", "variant"]),
        ("Llama 3 70B 的模型状态多大，混合精度 AdamW", ["16 B"], ["精度 bf16", "重计算", "GPU 张数"]),
        ("model states of a 13B with AdamW in mixed precision", ["16 B"], ["precision bf16", "recomputation", "GPUs 1"]),
        ("8 H100 for 48h at 2.50 per gpu hour", ["960 USD"], ["variant", "Assumed"]),
        ("Llama 3 70B int4 on an A100, does it fit?", ["A100 PCIe 80GB"], ["GPUs 1"]),  # the variants differ in memory
        ("how many tokens/s does an RTX 4090 reach with Qwen3-14B int4", ["concurrent requests 1"], ["GPUs 1"]),
    ],
)
def test_defaults_and_variants_are_told_where_they_play_a_part(
    question: str, has: list[str], lacks: list[str], knowledge: KnowledgeBase
) -> None:
    text = knowledge.ask(question).text
    assert all(h in text for h in has) and not any(x in text for x in lacks), text


@pytest.mark.parametrize(
    "question",
    [
        "8B 训练，ZeRO-1、2、3 每卡各多少，8 卡 A100",
        "3090 and 4090: how fast is Qwen3-14B int4 on each?",
        "70B 的 BF16 權重檔有多大？用 100Mbps 下載要多久",
        "8B full fine-tuning OOM on two A100 80G at 4096 tokens",
    ],
)
def test_no_line_of_a_calculation_is_repeated(question: str, knowledge: KnowledgeBase) -> None:
    lines = [re.sub(r" ?\[\d+\]", "", line) for line in knowledge.ask(question).text.splitlines() if line.startswith("- ")]
    assert lines and len(lines) == len(set(lines))


@pytest.mark.parametrize(
    ("question", "heads"),
    [
        ("3090和4090跑qwen3-14b int4，生成速度各多少", ["RTX 3090 的计算过程[", "RTX 4090 的计算过程["]),
        ("ZeRO-1 vs ZeRO-3 for a 7B on 8 A100: model states per GPU?", ["computed for ZeRO-1 [", "computed for ZeRO-3 ["]),
    ],
)
def test_several_calculations_say_what_they_are_of(question: str, heads: list[str], knowledge: KnowledgeBase) -> None:
    text = knowledge.ask(question).text
    assert all(head in text for head in heads)


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("Llama 3 70B on 4 A100 80GB, does it fit at 32k context?", []),
        ("Llama 3 70B on 4 A100 80GB, does it fit at 4k context?", ["And with a 32k context?"]),
        ("checkpoint size of a 34B with optimizer", []),
        ("13B 全参微调一张 A100 80G 够吗", ["换成 QLoRA 呢？", "一共需要几张卡？"]),
        ("13B 模型 LoRA 微调一张 A100 80G 够吗", ["换成 QLoRA 呢？"]),
    ],
)
def test_what_was_asked_is_not_offered_again(question: str, offered: list[str], knowledge: KnowledgeBase) -> None:
    assert list(knowledge.ask(question).follow_ups) == offered


@pytest.mark.parametrize(
    ("question", "first"),
    [
        (
            "a6000 vs 6000 ada for inference, how much bandwidth do I really gain (%)",
            "RTX 6000 Ada has 192 GB/s (25 %) more than RTX A6000",
        ),
        ("A6000 vs 6000 Ada 推理，带宽能多多少", "RTX 6000 Ada 比 RTX A6000 多 192 GB/s（25 %）"),
        ("3090 到 4090 显存带宽能涨多少", "RTX 4090 比 RTX 3090 多 72 GB/s"),
        (
            "how much bandwidth do I lose going from 3090 to 4060 Ti 16GB",
            "RTX 4060 Ti 16GB has 648 GB/s (69.2 %) less than RTX 3090",
        ),
        (
            "from A100 to H100, how much more bandwidth in percent?",
            "H100 SXM5 80GB has 1311 GB/s (64.3 %) more than A100 SXM4 80GB",
        ),
        ("how much less bandwidth does the H100 PCIe have than the SXM", "H100 PCIe 80GB has 1350 GB/s (40.3 %) less"),
        ("7900xtx vs 3090, which has more bandwidth", "Radeon RX 7900 XTX has the higher memory bandwidth"),
        ("A100 和 H100 功耗哪个低", "功耗（TDP）更低的是 A100 SXM4 80GB"),
        ("A100, H100, H200: which has the most memory", "H200 SXM 141GB has the highest memory capacity"),
        ("3090和4090跑qwen3-14b int4，生成速度差多少", "更快的是 RTX 4090：93.7 token/s"),
    ],
)
def test_a_comparison_decides_first_and_in_the_direction_asked(question: str, first: str, knowledge: KnowledgeBase) -> None:
    assert first in re.split(r"[。\n]|\. ", knowledge.ask(question).text)[0]


@pytest.mark.parametrize(
    "question",
    [
        "B200 dense fp4 number please, not the marketing sparse one",
        "L40S 稠密 FP8 算力多少，别给稀疏的",
        "H100 FP16 without sparsity",
        "A100 的 BF16 算力，不看稀疏的",
    ],
)
def test_a_figure_that_is_not_wanted_is_not_shown(question: str, knowledge: KnowledgeBase) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "spec" and not re.search("sparse|稀疏", answer.text)


@pytest.mark.parametrize(
    ("question", "has"),
    [
        (
            "KV cache of Llama 3 70B at 32k in fp16 vs fp8, how much do I save",
            "KV cache: fp8 takes 5 GiB (5.37 GB) less",
        ),
        ("QLoRA of an 8B on one A100: 8k sequence instead of 2k?", "sequence length 8192 takes"),
        ("70B 推理从 fp16 换成 int4 能省多少显存", "int4 比 fp16 少"),
    ],
)
def test_what_two_choices_take_is_told_in_the_direction_asked(question: str, has: str, knowledge: KnowledgeBase) -> None:
    assert has in knowledge.ask(question).text
