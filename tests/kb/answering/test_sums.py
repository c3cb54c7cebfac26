"""One line of arithmetic over figures that stand in the question: savings, hours of owned machines, collectives."""

from __future__ import annotations

import pytest

from kb.api import KnowledgeBase


def _says(knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]) -> str:
    answer = knowledge.ask(turns[-1], history=[("user", t) for t in turns[:-1]])
    values = {v.name: v.value for v in answer.values}
    for name, value in expected.items():
        assert values.get(name) == pytest.approx(value, rel=0.01), answer.text
    assert answer.kind == "sizing", answer.text
    return answer.text


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["own dgx h100 380k over 4 years, 10 kW at 12c per kWh, what's the cost per gpu hour?"], 1.506),
        (["own dgx h100 380k over 4 years, 10kW @ 12c, $/gpu hr", "at 70% util"], 2.087),
        (
            [
                "A server with 8 H100 costs 300,000 USD, depreciated over 4 years at 70% utilisation. What does a GPU-hour cost me?"
            ],
            1.529,
        ),
        (["bought dgx h100 for 380k, amortize 4 yrs + 10kw @ 12c/kwh whats my $/gpu hr"], 1.506),
        (["we bought 4x 4090 for $9000, keep it 3 years, electricity 0.30/kWh, hourly cost per gpu?"], 0.261),
        (["8卡5090整机28万 三年折旧 电费0.8 满载5.5kw 合每卡每小时多少钱"], 1.882),
        (["8卡H100服务器200万，按5年折旧，利用率60%，每卡时成本多少"], 9.513),
        (["買一台8卡A800伺服器90萬，用四年，不算電費，每卡每小時多少錢"], 3.211),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_an_hour_of_a_bought_machine_is_its_price_over_its_hours_and_power(
    knowledge: KnowledgeBase, turns: list[str], expected: float
) -> None:
    _says(knowledge, turns, {"cost_per_owned_hour": expected})


def test_an_owned_hour_is_held_against_a_rent_named_later(knowledge: KnowledgeBase) -> None:
    turns = ["8卡5090整机28万 三年折旧 电费0.8 满载5.5kw 合每卡每小时多少钱", "租的话2块8一卡 哪个划算"]
    _says(knowledge, turns, {"cost_of_owning": 395_632, "cost_of_renting": 588_672})


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            ["spot at $0.80 with 10% of the work lost against $1.79 on demand, 3000 GPU-hours, how much do I save?"],
            {"saving": 2703, "saved_share": 0.503},
        ),
        (["reserved H100 at $1.90/hr vs $2.60 on-demand, 8 GPUs for a year, what do I save?"], {"saving": 49_056}),
        (["spot instances are $1.10 per GPU-hour and on demand $2.50. 10k gpu hours. savings?"], {"saving": 14_000}),
        (["包年每卡时1.2美元 按需2美元 5000卡时 能省多少钱"], {"saving": 4000, "cost": 6000}),
        (["8张A100 按需每卡时12元 包月每卡时8元 用两个月 能省多少"], {"saving": 46_080}),
        (["竞价实例每卡时6块，按需15块，但会损失15%的进度，4000卡时能省多少"], {"saving": 31_765}),
        (["8张H100租一个月 每卡时2美元 打八折能省多少"], {"saving": 2304}),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_the_lower_of_two_prices_saves_against_the_full_one(
    knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]
) -> None:
    _says(knowledge, turns, expected)


@pytest.mark.parametrize(
    ("turns", "cost"),
    [
        (["8张H100租一个月 每卡时2美元 打八折多少钱"], 9216),
        (["8张H100租一个月 每卡时2美元", "打八五折呢"], 9792),
        (["64 H100 for 3 months at $2.2 per gpu hour with 25% off, total?"], 228_096),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_a_discount_is_taken_off_the_price(knowledge: KnowledgeBase, turns: list[str], cost: float) -> None:
    _says(knowledge, turns, {"cost": cost})


@pytest.mark.parametrize(
    "question", ["how much memory does QLoRA save on a 7B?", "int8量化能省多少显存 70b", "70b 32k 要多少显存"]
)
def test_memory_that_is_saved_is_no_money(knowledge: KnowledgeBase, question: str) -> None:
    names = {v.name for v in knowledge.ask(question).values}
    assert "memory_total" in names and not names & {"saving", "cost", "cost_per_owned_hour"}


@pytest.mark.parametrize(
    ("question", "name", "seconds"),
    [
        ("How long does an all-gather of 140 GB take between two 8-GPU nodes with 8x400Gb per node?", "all_gather_time", 0.328),
        (
            "How long does it take to all-gather 140 GB between two 8-GPU nodes with eight 400 Gb/s NICs each?",
            "all_gather_time",
            0.328,
        ),
        ("两台8卡H100，每台8块400G网卡，all-gather 140GB多久", "all_gather_time", 0.328),
        ("2台8卡机器，每台8x400Gb，all-gather 140GB要多久", "all_gather_time", 0.328),
        ("reduce-scatter of 10 GB over 8 GPUs at 450 GB/s, time?", "reduce_scatter_time", 0.01944),
        ("8卡 reduce-scatter 28GB 走200Gb/s IB 多久", "reduce_scatter_time", 0.98),
        ("8卡 all-to-all 4GB 网络 400Gb/s 要多久", "all_to_all_time", 0.07),
        ("all gather 16GB, 4 gpus, nvlink 900 GB/s?", "all_gather_time", 0.02667),
    ],
)
def test_a_collective_takes_its_bytes_over_the_link(knowledge: KnowledgeBase, question: str, name: str, seconds: float) -> None:
    _says(knowledge, [question], {name: seconds})


@pytest.mark.parametrize(
    ("question", "kwh"),
    [
        ("4台10.2kW的服务器一年多少度电", 357_408),
        ("10.2kW的伺服器放4台 一年多少度", 357_408),
        ("four 10.2 kW servers, how many kWh a year?", 357_408),
        ("how many kWh do 3 servers drawing 6.5 kW each use in a year?", 170_820),
    ],
)
def test_the_power_of_one_server_counts_for_each_of_them(knowledge: KnowledgeBase, question: str, kwh: float) -> None:
    _says(knowledge, [question], {"energy": kwh})


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many 8-GPU HGX H200 servers can a 30 kW rack hold?", 2),
        ("how many hgx h100 servers in a 40kw rack", 3),
        ("how many 8x h100 servers in a 40 kW rack", 3),
        ("40kW机柜放几台HGX H100", 3),
        ("40kW机柜放几台8卡H100服务器", 3),
        ("how many 10 kW servers fit a 40 kW rack", 4),
    ],
)
def test_a_board_is_counted_as_the_server_built_on_it(knowledge: KnowledgeBase, question: str, count: int) -> None:
    _says(knowledge, [question], {"server_count": count})


@pytest.mark.parametrize(
    ("question", "lanes", "verdict"),
    [
        ("How many PCIe lanes do four GPUs at x16 and four NVMe drives at x4 need, and which platforms have them?", 80, None),
        ("單機 8 卡要選 EPYC 9554 還是 Xeon 8480+，PCIe 通道數夠不夠？", 128, "fits_with_conditions"),
        ("4x 4090, 2 NVMe and a 100GbE NIC: enough PCIe lanes on an EPYC 9554?", 88, "fits"),
        ("8张L40S加4块NVMe加2张网卡，PCIe通道要多少", 176, None),
        ("is one Xeon 8480+ enough lanes for 8 GPUs and 4 nvme", 144, "does_not_fit"),
    ],
)
def test_lanes_of_cards_drives_and_adapters_are_held_against_a_processor(
    knowledge: KnowledgeBase, question: str, lanes: int, verdict: str | None
) -> None:
    answer = knowledge.ask(question)
    assert {v.name: v.value for v in answer.values}.get("pcie_lanes") == lanes, answer.text
    assert answer.verdict == verdict, answer.text


def test_lanes_of_a_processor_are_a_cell(knowledge: KnowledgeBase) -> None:
    assert knowledge.ask("how many pcie lanes does the EPYC 9554 have?").kind == "spec"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what UPS for a 4x A6000 box with a 32-core threadripper, 10 min", {"ups": 2306, "ups_energy": 0.307}),
        ("4卡4090工作站要配多大的UPS", {"ups": 2917, "ups_va": 3241}),
        ("UPS size for 2 servers of 3 kW", {"ups": 7500}),
        ("什么UPS能带一台8卡H100服务器15分钟", {"ups": 12_750, "ups_energy": 2.55}),
    ],
)
def test_a_ups_carries_what_the_machine_draws(knowledge: KnowledgeBase, question: str, expected: dict[str, float]) -> None:
    _says(knowledge, [question], expected)


@pytest.mark.parametrize(
    ("question", "speed"),
    [
        ("70B q4 用双路EPYC 8通道DDR5 CPU推理 每秒多少token", 6.26),
        ("llama 70b q4 on cpu, 8 channel ddr5, tokens per second?", 4.6),
        ("ktransformers跑qwen3-235b q4 内存要插多少 ddr5 8通道够速度不", 13.5),
        ("70B q4 纯CPU 8通道DDR4 能跑多快", 3.04),
    ],
)
def test_channels_whose_rate_is_not_said_run_at_that_of_their_generation(
    knowledge: KnowledgeBase, question: str, speed: float
) -> None:
    answer = knowledge.ask(question)
    found = {v.name: v.value for v in answer.values}.get("decode_tokens_per_second")
    assert found == pytest.approx(speed, rel=0.05), answer.text
    assert "memory_mt_s" in {a.slot for a in answer.assumptions}, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "8B on 15T tokens, how many H100 GPU hours at 400 TFLOPS per GPU?",
        "How many H100 GPU-hours does pretraining an 8B on 15T tokens take at 400 TFLOPS?",
        "8B模型训15T token 按每卡400 TFLOPS 要多少H100卡时",
    ],
)
def test_hours_of_a_card_that_are_asked_for_are_no_number_of_cards(knowledge: KnowledgeBase, question: str) -> None:
    text = _says(knowledge, [question], {"gpu_hours": 500_000})
    assert "500000" in text.splitlines()[0] and "696" not in text.splitlines()[0], text


@pytest.mark.parametrize("question", ["how long to train a 7B on 1T tokens with 64 H100?", "64张H100训7B 1T token要多久"])
def test_the_time_of_a_run_comes_with_the_use_of_the_cards(knowledge: KnowledgeBase, question: str) -> None:
    assert "MFU" in _says(knowledge, [question], {}).splitlines()[0]


@pytest.mark.parametrize(
    ("question", "terabytes"),
    [
        ("We keep 60 models of 140 GB each, how big a NAS?", 8.4),
        ("NAS for 40 checkpoints of 200 GB", 8.0),
        ("how much storage for 25 checkpoints of 140 GB each?", 3.5),
        ("100个70GB的模型要多大的NAS", 7.0),
        ("我们有40个200GB的checkpoint 要多大存储", 8.0),
        ("存60個140G的模型 硬碟要多大", 8.4),
    ],
)
def test_so_many_files_take_so_many_times_their_size(knowledge: KnowledgeBase, question: str, terabytes: float) -> None:
    _says(knowledge, [question], {"storage": terabytes * 1e12 / 2**30})


@pytest.mark.parametrize(
    ("question", "gigabytes"),
    [
        ("what link do I need to load 140 GB in 60 s?", 2.333),
        ("what network loads a 140 GB model in under a minute?", 2.333),
        ("copy 2 TB in 10 minutes, how fast a network?", 3.333),
        ("60秒内加载140GB需要多大带宽", 2.333),
        ("一分钟内加载一个140G的模型 要多快的网络", 2.333),
    ],
)
def test_what_has_a_time_needs_a_link_that_carries_it(knowledge: KnowledgeBase, question: str, gigabytes: float) -> None:
    _says(knowledge, [question], {"transfer_bandwidth": gigabytes, "transfer_link": 8 * gigabytes})


def test_a_network_between_servers_is_no_link_for_a_file(knowledge: KnowledgeBase) -> None:
    names = {v.name for v in knowledge.ask("what network do I need for 8 H100 nodes training 70B?").values}
    assert "network_bandwidth" in names and "transfer_bandwidth" not in names


@pytest.mark.parametrize(
    ("question", "gigabytes"),
    [
        ("disk for qwen3 235b: bf16 original plus fp8 and 4-bit copy", 822.8),
        ("deepseek v3 fp8 plus a 4 bit copy, how much disk?", 1007),
        ("qwen3 235b的bf16、fp8和4bit三个版本都存 要多少硬盘", 822.8),
    ],
)
def test_files_of_one_model_in_several_formats_are_added_up(knowledge: KnowledgeBase, question: str, gigabytes: float) -> None:
    _says(knowledge, [question], {"storage": gigabytes * 1e9 / 2**30})


@pytest.mark.parametrize(
    ("question", "gigabytes"),
    [
        ("ckpts are killing my disk, full sft of 8b, each 90gb why", 112),
        ("why is each checkpoint of my full 8B fine-tune 96 GB?", 112),
        ("7b全参微调 每个checkpoint为什么有90G", 98),
    ],
)
def test_why_a_checkpoint_is_large_is_told_by_its_parts(knowledge: KnowledgeBase, question: str, gigabytes: float) -> None:
    text = _says(knowledge, [question], {"checkpoint_size": gigabytes * 1e9 / 2**30})
    assert any(words in text for words in ("optimizer states = ", "优化器状态 = ")), text
