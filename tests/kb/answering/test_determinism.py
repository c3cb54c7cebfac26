"""The same question gets the same bytes from every process, whatever order its sets happen to have."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent.parent
QUESTIONS = [
    "两张 4090 够不够做 72B 的 LoRA？",
    "does DeepSeek-R1 in fp8 fit on 8 H20?",
    "How many A100 80GB do I need to fully fine-tune a 13B model?",
    "8 张 A100 80G 能全参微调 70B 吗？",
    "训练大模型为什么要用 NVMe 固态硬盘？",
    "which GPUs have at least 80 GB and NVLink?",
]
ASK = """
import json, sys
from pathlib import Path
from kb import KnowledgeBase, plain
from tests.conftest import WordEmbedder
base = KnowledgeBase.open(Path(sys.argv[1]), embedder=WordEmbedder())
kept = [{k: v for k, v in plain(base.ask(q)).items() if k not in ("id", "conversation_id", "timings_ms")} for q in sys.argv[2:]]
print(json.dumps(kept, ensure_ascii=False))
"""


def answers(home: Path, seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", ASK, str(home), *QUESTIONS]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout


def test_processes_with_other_hash_seeds_give_the_same_answers(home: Path) -> None:
    first, *others = (answers(home, seed) for seed in ("1", "5", "9"))
    assert first.count('"citations"') == len(QUESTIONS)
    assert [other == first for other in others] == [True, True]
