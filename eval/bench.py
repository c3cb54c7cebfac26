"""Where the time of an answer goes: medians and ratios of one run on this machine; `python -m eval.bench`.

Timings are figures to read, never tests. Everything is compared with the first row of the same run.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from eval.cases import SETS
from eval.cases import load as load_cases
from kb.api import KnowledgeBase
from kb.settings import load

ROUNDS = 30
LENGTHS = (500, 5_000, 50_000)  # characters
LONG = "我有 8 张 H100，想训练 70B 模型，序列 4096，要多久？ Does Llama 3 70B in int4 fit on two 4090s? "
QUESTIONS = {
    "spec": "H20 的显存带宽是多少？",
    "compare": "compare the H100 PCIe with the H100 SXM",
    "filter": "which GPUs have at least 80 GB and NVLink?",
    "fit": "70B 用 QLoRA 微调，一张 A100 80G 够吗？",
    "count": "How many A100 80GB do I need to fully fine-tune a 13B model?",
    "passages": "训练大模型为什么要用 NVMe 固态硬盘？",
    "declined": "今天天气怎么样？",
}
PLAN = {
    "workload": "pretrain", "model": "llama3.1-8b", "tokens": 1e12, "gpus": ["h100-sxm5-80gb", "a100-sxm4-80gb"], "max_days": 30,
    "max_gpus": 128, "prices": {"h100-sxm5-80gb": 2.5, "a100-sxm4-80gb": 1.2},
}  # fmt: skip
DEADLINE = {"workload": "pretrain", "model": "llama3.1-8b", "gpu": "h100-sxm5-80gb", "tokens": 1e12, "days": 30}
REQUEST = {"workload": "full_finetune", "model": "llama3.1-8b", "gpu": "h100-sxm5-80gb", "gpu_count": 8, "tokens": 1e9}


def main() -> None:
    settings, _ = load()
    base = KnowledgeBase.open(settings.home, model=settings.model)
    base.warm()
    tasks: dict[str, Callable[[], object]] = {"understand": lambda: base.understand(QUESTIONS["fit"])}
    tasks |= {"understand, 2,000 characters": lambda: base.understand("我有 8 张 H100，想训练 70B 模型。" * 90)}
    new = itertools.count(1000)  # a sizing that was made is kept: each of these has another length
    tasks |= {
        name: lambda request=request: base.size(request | {"seq_len": next(new)})
        for name, request in {"size": REQUEST, "size, under a deadline": DEADLINE}.items()
    }
    tasks |= {f"plan, {base.plan(PLAN).considered:,} layouts": lambda: base.plan(PLAN)}
    tasks |= {
        f"search, {mode}": lambda mode=mode: base.search(QUESTIONS["passages"], mode=mode) for mode in ("lexical", "hybrid")
    }
    tasks |= {f"ask, {kind}": lambda q=q: base.ask(q) for kind, q in QUESTIONS.items()}
    understanding(base)
    print(f"{os.cpu_count()} cores, {platform.machine()}, load {os.getloadavg()[0]:.1f}; medians of {ROUNDS}")
    first = tell(tasks)
    with served() as posts:
        tell(posts, first)


def tell(tasks: dict[str, Callable[[], object]], first: float | None = None) -> float:
    """A line for every task, held against the first, or against that of `first` milliseconds, which is returned."""
    for name, task in tasks.items():
        median, slow = timed(task)
        first = first or median
        print(f"{name:30} {median:8.2f} ms   90th percentile {slow:8.2f} ms   {median / first:7.1f} x understand")
    return first or 0.0


@contextmanager
def served() -> Iterator[dict[str, Callable[[], object]]]:
    """POST /v1/size of a service of its own, from the request's bytes to the response's: answered before, and new each time."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    service = subprocess.Popen([sys.executable, "-m", "service", "--port", str(port)], stdout=subprocess.DEVNULL)
    line, new = http.client.HTTPConnection("127.0.0.1", port), itertools.count(1000)

    def asked(method: str, path: str, body: str | None = None) -> int:
        line.request(method, path, body, {"Content-Type": "application/json"})
        response = line.getresponse()
        response.read()
        return response.status

    def post(**changes: int) -> None:
        if (status := asked("POST", "/v1/size", json.dumps(REQUEST | changes))) != 200:
            raise RuntimeError(f"POST /v1/size: {status}")

    def ready() -> bool:
        try:
            return asked("GET", "/readyz") == 200
        except OSError:
            line.close()
            return False

    try:
        while not ready():
            if service.poll() is not None:
                raise RuntimeError("the service ended before it was ready")
            time.sleep(0.5)
        yield {"POST /v1/size, again": post, "POST /v1/size, new": lambda: post(seq_len=next(new))}
    finally:
        service.terminate()
        service.wait()


def understanding(base: KnowledgeBase) -> None:
    """Processor time of reading every question of the sets, and how it grows with the length of a text."""
    cases = [case for path in sorted(SETS.glob("*/dev.jsonl")) for case in load_cases(path).cases]
    turns = [turn for case in cases for turn in (*case.history, case.question) if 0 < len(turn) <= 500]
    spent = sorted(1e3 * min(processor(base, turn) for _ in range(3)) for turn in turns)
    p50, p99 = spent[len(spent) // 2], spent[int(0.99 * (len(spent) - 1))]
    print(
        f"understanding of {len(spent)} questions: median {p50:.2f} ms, 99th percentile {p99:.2f} ms, slowest {spent[-1]:.2f} ms"
    )
    for length in LENGTHS:
        text = (LONG * (length // len(LONG) + 1))[:length]
        took = 1e3 * min(processor(base, text) for _ in range(3))
        print(f"understanding of {length:,} characters: {took:.1f} ms, {1e3 * took / length:.1f} ms per 1,000")


def processor(base: KnowledgeBase, text: str) -> float:
    """Seconds of processor time to understand a text."""
    started = time.thread_time()
    base.understand(text)
    return time.thread_time() - started


def timed(task: Callable[[], object]) -> tuple[float, float]:
    """Median and 90th percentile of ROUNDS runs, milliseconds; one run before them does not count."""
    task()
    spent = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        task()
        spent.append((time.perf_counter() - started) * 1e3)
    return statistics.median(spent), sorted(spent)[int(0.9 * (ROUNDS - 1))]


if __name__ == "__main__":
    main()
