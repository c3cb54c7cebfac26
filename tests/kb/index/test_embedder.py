"""Any sentence-transformers model through one door, loaded late and once."""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kb.errors import SizewrightError
from kb.index import embedder as door
from kb.index.embedder import Embedder, SentenceEmbedder, open_embedder


class Lengths:
    """A model whose vectors hold the length of the text, and the side it was asked for."""

    batches: list[int]

    def __init__(self) -> None:
        self.batches = []

    def encode_document(self, texts: list[str], **options: Any) -> NDArray[np.float32]:
        self.batches.append(len(texts))
        return np.array([[len(text), 0] for text in texts], np.float32)

    def encode_query(self, texts: list[str], **options: Any) -> NDArray[np.float32]:
        self.batches.append(len(texts))
        return np.array([[len(text), 1] for text in texts], np.float32)

    def get_embedding_dimension(self) -> int:
        return 2


def folder_of(place: Path, **files: Any) -> Path:
    """A model folder with these settings: `pooling={...}` is 1_Pooling/config.json."""
    names = {
        "modules": "modules.json",
        "config": "config.json",
        "pooling": "1_Pooling/config.json",
        "dense": "2_Dense/config.json",
    }
    for key, content in files.items():
        path = place / names[key]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    return place


@pytest.fixture
def two_wide(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "two-wide", config={"hidden_size": 2})


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentenceEmbedder]:
    models = tmp_path_factory.mktemp("models")
    yield open_embedder(None, models)
    shutil.rmtree(models)  # half a gigabyte that pytest would keep


@pytest.mark.encoder
def test_vectors_have_length_one_and_the_dimension_that_was_said_before_loading(encoder: SentenceEmbedder) -> None:
    assert encoder.dimension == 384
    vectors = np.concatenate([encoder.documents(["显存", "x" * 5000, ""]), encoder.queries(["memory"])])
    assert vectors.shape == (4, 384) and vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.encoder
def test_a_text_has_the_same_vector_in_any_company(encoder: SentenceEmbedder) -> None:
    texts = ["显存", "The bandwidth of the memory limits decoding. " * 5, "训练 70B 模型", "batch size"] * 3
    together = encoder.documents(texts)
    assert together == pytest.approx(np.concatenate([encoder.documents([text]) for text in texts]), abs=2e-5)


@pytest.mark.encoder
def test_a_question_finds_its_passage_among_those_of_the_other_language(encoder: SentenceEmbedder) -> None:
    passages = {
        "en": [
            "Gradient checkpointing saves memory by running the forward pass again.",
            "The power supply must cover the peak draw of all cards.",
            "Memory bandwidth limits the throughput of inference.",
        ],
        "zh": ["梯度检查点以重算前向传播来节省显存。", "电源须满足所有显卡的峰值功耗。", "推理吞吐量主要受显存带宽限制。"],
    }
    questions = {
        "en": [
            "Why does gradient checkpointing save memory?",
            "How large a power supply do I need?",
            "What limits throughput?",
        ],
        "zh": ["梯度检查点为什么能省显存？", "電源功率要多大才夠？", "推理速度受什么限制？"],
    }
    for asked, found in (("zh", "en"), ("en", "zh")):
        scores = encoder.queries(questions[asked]) @ encoder.documents(passages[found]).T
        assert scores.argmax(axis=1).tolist() == [0, 1, 2], (asked, found)


@pytest.mark.encoder
def test_a_folder_is_loaded_without_a_word_to_the_network(encoder: SentenceEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    reached: list[object] = []

    def refuse(*address: object, **options: object) -> None:
        reached.append(address)
        raise OSError("no network here")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    again = open_embedder(str(encoder.folder), Path("nowhere"))
    again.queries(["warm"])
    assert again.id == encoder.id
    assert reached == []


@pytest.mark.encoder
def test_a_folder_with_broken_weights_is_named(encoder: SentenceEmbedder, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(encoder.folder, broken, ignore=shutil.ignore_patterns("model.safetensors"))
    (broken / "model.safetensors").write_bytes(b"cut short")
    with pytest.raises(SizewrightError, match="broken does not load") as caught:
        open_embedder(str(broken), tmp_path).queries(["显存"])
    assert "无法加载" in caught.value.zh


def test_what_an_embedder_says_of_itself_costs_no_import_of_the_heavy_libraries(two_wide: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from kb.index.embedder import open_embedder\n"
        f"e = open_embedder({str(two_wide)!r}, Path('nowhere')); assert e.id and e.dimension == 2\n"
        "assert not {'sentence_transformers', 'transformers', 'torch'} & set(sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_many_threads_load_the_model_once(two_wide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[Path] = []

    def load(folder: Path) -> Lengths:
        loads.append(folder)
        return Lengths()

    monkeypatch.setattr(door, "_load", load)
    shared = open_embedder(str(two_wide), Path("nowhere"))
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(shared.queries, [["a" * n] for n in range(40)]))
    assert [result.tolist() for result in results] == [[[n, 1]] for n in range(40)]
    assert loads == [two_wide]


def test_vectors_come_in_the_order_of_the_texts_whatever_the_batches(two_wide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Lengths()
    monkeypatch.setattr(door, "_load", lambda folder: model)
    texts = ["x" * (n * 7 % 20) for n in range(20)]
    vectors = open_embedder(str(two_wide), Path("nowhere")).documents(texts)
    assert vectors.tolist() == [[len(text), 0] for text in texts]
    assert model.batches == [door.BATCH, door.BATCH, 20 - 2 * door.BATCH]


def test_no_texts_give_no_vectors_and_load_nothing(two_wide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "_load", lambda folder: pytest.fail("loaded"))
    assert open_embedder(str(two_wide), Path("nowhere")).documents([]).shape == (0, 2)


MODULES = [{"path": ""}, {"path": "1_Pooling"}, {"path": "2_Dense"}, {"path": "3_Normalize"}]


@pytest.mark.parametrize(
    ("files", "dimension"),
    [
        ({"config": {"hidden_size": 7}}, 7),
        ({"modules": MODULES, "pooling": {"word_embedding_dimension": 5, "pooling_mode_mean_tokens": True}}, 5),
        ({"modules": MODULES, "pooling": {"embedding_dimension": 6, "pooling_mode": "cls"}}, 6),
        ({"modules": MODULES, "pooling": {"embedding_dimension": 6}, "dense": {"in_features": 6, "out_features": 4}}, 4),
        ({"modules": MODULES, "pooling": {"embedding_dimension": 6, "pooling_mode": ["cls", "mean"]}}, 2),
        ({"modules": [{"path": ""}], "config": {"architectures": ["StaticEmbedding"]}}, 2),
    ],
    ids=[
        "bare encoder",
        "pooled",
        "pooled, newer form",
        "dense on top",
        "two poolings: ask the model",
        "no word: ask the model",
    ],
)
def test_the_dimension_is_read_from_the_settings_or_else_asked_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, Any], dimension: int
) -> None:
    monkeypatch.setattr(door, "_load", lambda folder: Lengths())
    opened: Embedder = open_embedder(str(folder_of(tmp_path / "model", **files)), tmp_path)
    assert opened.dimension == dimension


def test_the_id_follows_the_content_and_not_the_place(two_wide: Path, tmp_path: Path) -> None:
    before = open_embedder(str(two_wide), tmp_path).id
    shutil.copytree(two_wide, tmp_path / "elsewhere" / "two-wide")
    assert open_embedder("two-wide", tmp_path / "elsewhere").id == before
    (two_wide / "model.safetensors").write_bytes(b"other weights")
    assert open_embedder(str(two_wide), tmp_path).id != before


def test_files_that_did_not_change_are_not_read_again(two_wide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_embedder(str(two_wide), tmp_path).id
    monkeypatch.setattr(hashlib, "file_digest", lambda *_: pytest.fail("read again"))
    assert open_embedder(str(two_wide), tmp_path).id == before


def test_a_folder_that_is_no_model_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    with pytest.raises(SizewrightError, match="is not a model") as caught:
        open_embedder(str(tmp_path / "notes"), tmp_path)
    assert "不是模型" in caught.value.zh


def test_a_name_that_is_nowhere_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def nowhere(*_: object, **__: object) -> str:
        raise OSError("no such repository\nmore lines")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", nowhere)
    with pytest.raises(SizewrightError, match="no model 'nobody/nothing'") as caught:
        open_embedder("nobody/nothing", tmp_path)
    assert "没有模型“nobody/nothing”" in caught.value.zh
