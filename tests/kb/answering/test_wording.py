"""How figures, units and names stand in the sentences of an answer."""

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
        ("3090 和 4090 跑 Qwen3-14B int4，生成速度各是多少", "RTX 3090 上解码速度", "RTX 3090 时"),
        ("用 8 张 H100 训练 1.5B、1000 亿 token，MFU 40% 要几天", "3.29 天", " day"),
    ],
)
def test_units_and_places_are_said_as_people_say_them(question: str, has: str, lacks: str, knowledge: KnowledgeBase) -> None:
    text = knowledge.ask(question).text
    assert has in text and lacks not in text
