"""Figures the articles state are the figures the rules compute."""

from pathlib import Path

import pytest

from kb.ingest.articles import read_article
from kb.ingest.sources import read_sources
from kb.sizing.rules import cluster, communication, compute, memory, storage

CORPUS = Path(__file__).parents[2] / "corpus"
DAY = 86400.0
ADAM = 2 * memory.weights.function(parameters=1.0, element=2.0) + memory.optimizer_states.function(
    trained=1.0, master=4.0, moments=2.0, moment=4.0
)
KV_8B = memory.kv_per_token.function(layers=32.0, kv_heads=8.0, head_dim=128.0, element=2.0)
KV_405B = memory.kv_per_token.function(layers=126.0, kv_heads=8.0, head_dim=128.0, element=2.0)
MLA = memory.latent_kv_per_token.function(layers=61.0, kv_rank=512.0, rope_dim=64.0, element=2.0)
STATES_70B = storage.checkpoint.function(weights=2 * 70e9, optimizer_states=12 * 70e9)
REDUCED_8B = communication.all_reduce.function(size=16e9, ranks=8.0)


@pytest.mark.parametrize(
    ("topic", "stated", "computed"),
    [
        ("gpu-memory", "16 bytes per parameter", f"{ADAM:.0f} bytes per parameter"),
        ("gpu-memory", "140 GB for 70B", f"{memory.weights.function(parameters=70e9, element=2.0) / 1e9:.0f} GB for 70B"),
        ("kv-cache", "131,072", f"{KV_8B:,.0f}"),
        ("kv-cache", "516,096", f"{KV_405B:,.0f}"),
        ("kv-cache", "70,272", f"{MLA:,.0f}"),
        (
            "kv-cache",
            "| 16 GiB",
            f"| {memory.kv_cache.function(per_token=KV_8B, context=131072.0, concurrency=1.0) / 2**30:.0f} GiB",
        ),
        ("storage", "about 1 TB for 70B", f"about {STATES_70B / 1e12:.0f} TB for 70B"),
        (
            "storage",
            "500 seconds at 2 GB/s",
            f"{storage.write_time.function(checkpoint=1e12, bandwidth=2e9):.0f} seconds at 2 GB/s",
        ),
        ("network", "28 GB per GPU", f"{REDUCED_8B / 1e9:.0f} GB per GPU"),
        (
            "network",
            "about 22 seconds over 10 GbE",
            f"about {communication.time.function(traffic=REDUCED_8B, bandwidth=1.25e9):.0f} seconds over 10 GbE",
        ),
        (
            "parallelism",
            "10.9 % at 64",
            f"{communication.bubble.function(stages=8.0, micro_batches=64.0, virtual=1.0):.1%} at 64".replace("%", " %"),
        ),
        (
            "parallelism",
            "87.5 % at 8",
            f"{communication.bubble.function(stages=8.0, micro_batches=8.0, virtual=1.0):.1%} at 8".replace("%", " %"),
        ),
        ("cpu", "= 28 cores", f"= {storage.cpu_cores.function(gpus=8.0, per_gpu=3.0, system=4.0):.0f} cores"),
        (
            "host-ram",
            "needs 640 GB or more",
            f"needs {storage.host_ram.function(gpus=8.0, gpu_memory=80e9) / 1e9:.0f} GB or more",
        ),
        (
            "reliability",
            "930 seconds",
            f"{storage.checkpoint_interval.function(write_time=40.0, between_failures=3 * 3600.0):.0f} seconds",
        ),
        (
            "power-and-cooling",
            "89,352 kWh",
            f"{cluster.energy.function(power=10200.0, time=365 * DAY, pue=1.0) / 3.6e6:,.0f} kWh",
        ),
        (
            "compute-and-capacity",
            "about 22 days",
            f"about {8e9 * 6 * 1e12 / compute.achieved.function(peak=989e12 * 64, mfu=0.4) / DAY:.0f} days",
        ),
    ],
)
def test_an_article_states_what_the_rules_compute(topic: str, stated: str, computed: str) -> None:
    assert stated in read_article(CORPUS / "articles" / topic / "en.md", read_sources(CORPUS / "sources.toml")).text
    assert computed == stated
