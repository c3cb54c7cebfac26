"""What stands around the GPUs, as people ask for it: power and bills, supplies, rent and purchase, disks, links, host, pipelines."""

from __future__ import annotations

from typing import Any

import pytest

from kb.api import KnowledgeBase
from kb.types.answer import Answer


def told(answer: Answer) -> dict[str, Any]:
    """Values that stand in the text before the calculation, by name."""
    said = "\n".join(line for line in answer.text.splitlines() if not line.startswith("- "))  # without the calculation
    return {v.name: v.value for v in answer.values if v.text and v.text in said}


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["128张H100的集群整体功耗按PUE 1.3算大概多少千瓦，一年用电多少"], {"facility_power": 151.4, "energy": 1.326e6}),
        (["power for 8 H100 servers at 10.2 kW each, PUE 1.4?"], {"power": 81.6, "facility_power": 114.2}),
        (["electricity bill for 8x H100 SXM (node) running 24/7 for a year at 15 cents per kWh, PUE 1.3?"], {"cost": 12_436}),
        (["electricity cost of 8x H100 for one year at 15¢ per kWh"], {"cost": 9566}),
        (["electricity for 4x 4090 24/7 at $0.25/kWh", "per month i mean"], {"cost": 421.2}),
        (["一台8卡4090满载，电费一块一度，一个月多少电费"], {"cost": 3370}),
        (["电费8毛一度，8卡A100全年电费"], {"cost": 29_153}),
        (["16台8卡H100，PUE 1.4，一年耗电多少度，0.6元/度多少钱"], {"energy": 1.4285e6, "cost": 857_106}),
        (["electricity cost of 8x A100 for a year?"], {"energy": 36_442}),
        (["12kW 的机柜能放几台8卡A100"], {"server_count": 1}),
        (["Rack has 17 kW. How many DGX H100 can I put in?"], {"server_count": 1}),
        (["A100 SXM单卡功耗多少瓦", "8卡整机大概几千瓦"], {"power": 6.5}),
        (["power draw of a complete server with 8 H100 SXM?"], {"power": 10.2}),
        (["How many H100 SXM can I run on 20 kW?"], {"gpus_on_power": 21}),
        (["一櫃四台 DGX A100 功耗多少"], {"power": 26}),
        (["watts of a rack with 4 DGX B200 and heat in BTU/h"], {"power": 57.2, "heat": 195_175}),
        (["cooling (BTU/hr or tons) for a 40kW rack of H100s"], {"heat": 136_486, "cooling_tons": 11.37}),
        (["40kW 机柜的散热量是多少 BTU/h"], {"heat": 136_486}),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_power_energy_and_heat(knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]) -> None:
    _states(knowledge, turns, expected)


def test_electricity_is_never_billed_as_rent(knowledge: KnowledgeBase) -> None:
    assert "cost" not in told(knowledge.ask("electricity cost of 8x H100 for a year"))


@pytest.mark.parametrize(
    ("question", "supply", "verdict"),
    [
        ("750W电源带得动4090+i7吗", 937.5, "does_not_fit"),
        ("will an 850 W power supply run an RTX 4090?", 937.5, "fits_with_conditions"),
        ("一张4090用1000W的电源够吗", 937.5, "fits"),
        ("what PSU wattage do I need for 4x rtx 3090 + threadripper", 2325, None),
        ("双 3090 要多大的电源，CPU 是 EPYC 280W", 1350, None),
        ("power supply for two 4090s and an EPYC 9654", 1700, None),
    ],
)
def test_a_supply_carries_boards_and_host_with_headroom(
    knowledge: KnowledgeBase, question: str, supply: float, verdict: str | None
) -> None:
    assert _states(knowledge, [question], {"psu": supply}).verdict == verdict


@pytest.mark.parametrize(
    ("turns", "expected", "cheaper"),
    [
        (
            ["自建8卡H100服务器和租云哪个划算？机器250万人民币，租的话每卡每小时15块，电费0.8元/度"],
            {"break_even": 21_896, "break_even_time": 912.3},
            "",
        ),
        (
            [
                "Rent or buy: 8x H100 node, 60% utilization for 3 years. Cloud is $2.20 per GPU-hour, server costs 280k, power $0.12/kWh."
            ],
            {"break_even_use": 16_740, "break_even_time": 1162.5, "cost_of_owning": 293_775, "cost_of_renting": 277_517},
            "renting is cheaper",
        ),
        (["at what point does buying a 4090 for $1800 beat renting at $0.40/h? power is $0.30/kWh"], {"break_even": 8018}, ""),
        (["8卡H100整机采购260万，租用每卡时12元，电价0.7元，多久回本"], {"break_even": 29_259}, ""),
        (["4090 买划算还是租划算？买一张 1.6 万，租 2 块钱一小时，电费 0.8 元一度"], {"break_even": 10_444}, ""),
        (["Is it worth buying a 4090 or renting? $1600 to buy, $0.40 an hour to rent"], {"break_even": 4000}, ""),
        (["A100 一张 9 万，租一小时 9 元，多久回本"], {"break_even": 10_000}, ""),
        (
            ["自建还是租，8 张 A800 每卡每小时 6 块，整机 120 万，用三年每天 12 小时"],
            {"cost_of_renting": 630_720},
            "租用更便宜",
        ),
        (["买一张 5090 2.2 万，租 3 块一小时，每天用 16 小时，两年内能回本吗"], {"cost_of_renting": 35_040}, "购买更便宜"),
        (
            ["should I buy a $30k H100 or rent at $2.5/hr if I use it 20% of the time for 2 years?"],
            {"break_even_use": 12_000, "break_even_time": 2500},
            "renting",
        ),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_rent_or_purchase(knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float], cheaper: str) -> None:
    assert cheaper in _states(knowledge, turns, expected).text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Chinchilla optimal tokens for a 3B model and how many days on 8x A100?", {"optimal_tokens": 60e9}),
        ("3B 模型按 Chinchilla 最优要多少 token", {"optimal_tokens": 60e9}),
        ("预算 30 万元，H100 每卡时 15 元，能买多少卡时", {"affordable_gpu_hours": 20_000}),
        ("20万预算，A100 每卡每小时 8 元，按 Chinchilla 能训多大的模型", {"optimal_parameters": 9.67e9}),
        (
            "I have $50k. How many A100 hours at $1.29/h is that, and how big a chinchilla-optimal model could I train?",
            {"affordable_gpu_hours": 38_760, "optimal_parameters": 12.05e9, "optimal_tokens": 241e9},
        ),
        ("GPU hours to pretrain 1.3B params on 300B tokens on A100s, say 45% mfu", {"gpu_hours": 4630}),
        ("用 A100 预训练 1.3B，300B token，MFU 45%，需要多少卡时", {"gpu_hours": 4630}),
    ],
)
def test_what_money_and_compute_are_spent_on_best(knowledge: KnowledgeBase, question: str, expected: dict[str, float]) -> None:
    _states(knowledge, [question], expected)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("LoRA fine-tune Llama 3 8B, 50k samples x 800 tok, 3 epochs, single 4090. ETA in hours?", "hours (80 %"),
        ("7B 模型 100B token，64 张 H100，要几个小时", "小时（80%"),
        ("how many weeks to train 13B on 1T tokens with 128 A100s?", "weeks (80 %"),
        ("训练 13B，1T token，128 张 A100，要几周", "周（80%"),
        ("how long to full fine-tune Llama 3.1 8B on 100M tokens with 8 A100", "hours (80 %"),
        ("8 张 A100 全参微调 8B，2000 万 token，要多久", "分钟（80%"),
    ],
)
def test_a_time_is_told_in_the_unit_that_is_asked_for(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert says in knowledge.ask(question).text


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["checkpoint 1TB，要求60秒内写完，存储写带宽至少多少GB/s"], {"write_bandwidth": 16.67}),
        (["A 980 GB checkpoint must be written in 5 minutes. What write bandwidth?"], {"write_bandwidth": 3.267}),
        (
            ["34B 训练 checkpoint 每个多大，按 5 分钟内写完存储要多少 GB/s"],
            {"checkpoint_size": 443.3, "write_bandwidth": 1.587},
        ),
        (
            ["70B 训练，一个checkpoint（含优化器）多大？每2小时存一次存30天要多大盘"],
            {"checkpoint_size": 912.7, "saves": 360, "storage": 328_571, "storage_of_kept": 2738},
        ),
        (
            ["70B checkpoint every 2 hours for 30 days, how much storage in total?"],
            {"storage": 328_571, "checkpoint_size": 912.7},
        ),
        (
            ["Full training checkpoint for a 70B with Adam: size, and write time at 10 GB/s?"],
            {"checkpoint_size": 912.7, "write_time": 98},
        ),
        (["保留最近5个 7B 全量 checkpoint 要多大硬盘"], {"storage": 456.4}),
        (["15T token 的语料占多少硬盘"], {"dataset_size": 60e12 / 2**30}),
        (["Disk for 3T tokens tokenized to uint16?"], {"dataset_size": 6e12 / 2**30}),
        (["1024 H100s, 90 s checkpoint, MTBF 50,000 h per GPU: how often?"], {"checkpoint_interval": 5625}),
        (["1024 张卡，写一次 checkpoint 要 90 秒，单卡 MTBF 5 万小时，多久存一次"], {"checkpoint_interval": 5625}),
        (["2048 张卡，MTBF 单卡 8 万小时，checkpoint 写 2 分钟，多久存一次"], {"checkpoint_interval": 5809}),
        (["2T token 的数据集，词表 uint16，占多大"], {"dataset_size": 4e12 / 2**30}),
        (["一个 2TB 的 checkpoint，写盘 20GB/s，集群 MTBF 8 小时，多久存一次"], {"checkpoint_interval": 2400}),
        (
            ["writing a checkpoint takes 100 s, cluster MTBF is 8 hours, how often should I save?"],
            {"checkpoint_interval": 2400},
        ),
        (
            ["30B run, checkpoint every 20 min, keep the last 5. How fast must the file system be to write one in 60 s?"],
            {"storage": 1956, "write_bandwidth": 7},
        ),
        (
            ["30B 训练每 20 分钟存一次 checkpoint，保留最近 5 个，要多少存储，60 秒内写完文件系统要多快"],
            {"storage": 1956, "write_bandwidth": 7},
        ),
        (["Size of one full training checkpoint (weights + adam states) for a 13B model?"], {"checkpoint_size": 169.5}),
        (["70B 全参微调", "硬盘要准备多大"], {"storage": (140e9 + 3 * 980e9) / 2**30}),
        (["how much disk for a LoRA fine-tune of a 70B?"], {"storage": 131.52}),
        (["transfer a 1 TB checkpoint over 100 Gb/s, how long?"], {"download_time": 80}),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_checkpoints_and_data_on_disk(knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]) -> None:
    _states(knowledge, turns, expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "time for an all-reduce of 14GB over 8 H100s: NVLink 900 GB/s vs 400G IB?",
            {"all_reduce_time": 0.0544, "all_reduce_time_network": 0.49, "all_reduce_traffic": 24.5e9 / 2**30},
        ),
        (
            "7B模型数据并行，bf16梯度，8台机器每台8卡，一次allreduce要传多少数据，400Gbps网卡大概几秒",
            {"all_reduce_time": 0.5513, "all_reduce_traffic": 25.67},
        ),
        ("20GB 梯度在 16 张卡之间 all-reduce，用 200G IB 多久", {"all_reduce_time": 1.5}),
        (
            "What bandwidth between nodes do I need for data parallel training of a 70B across 16x8 H100? Is 100GbE ok?",
            {"all_reduce_time": 22.2, "all_reduce_traffic": 258.7},
        ),
        ("流水线并行 pp=8，微批数32，气泡占比多少", {"pipeline_bubble": 0.21875, "pipeline_idle": 0.1795}),
        ("pipeline bubble with pp=4 and 16 microbatches?", {"pipeline_bubble": 0.1875, "pipeline_idle": 0.1579}),
    ],
)
def test_links_and_pipelines(knowledge: KnowledgeBase, question: str, expected: dict[str, float]) -> None:
    _states(knowledge, [question], expected)


@pytest.mark.parametrize("question", ["千卡集群训练用IB还是RoCE？每卡配多少G网卡", "64 卡集群每张卡要多少 G 的网卡"])
def test_adapters_of_a_cluster_need_no_model(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "passages" and answer.declined is None


@pytest.mark.parametrize(
    ("question", "expected", "verdict"),
    [
        ("zero-offload 训 13B 优化器放CPU，内存要多大", {"host_ram": 13e9 * 16 * 1.5 / 2**30}, None),
        ("CPU+GPU 混合推理 DeepSeek-R1 的 4bit 版（约 404GB），内存至少要多大？", {"host_ram": 404e9 / 2**30}, None),
        ("a 40 GB GGUF, how much RAM do I need for CPU inference?", {"host_ram": 40e9 / 2**30}, None),
        ("How much CPU RAM does ZeRO-Offload need for a 30B?", {"host_ram": 30e9 * 16 * 1.5 / 2**30}, None),
        ("KTransformers 跑 deepseek r1 满血，单4090 + 内存，内存得多少G？", {"host_ram": 382}, None),
        ("r1 671b q4 用 cpu 内存推理，要多少内存", {"host_ram": 382}, None),
        ("加载 70B fp16 权重，主机内存 64G 够吗", {"host_ram": 130.4}, "does_not_fit"),
        (
            "deepseek-r1 671B Q4 on CPU with 512GB DDR5, 12 channel 4800: does it fit and what tok/s?",
            {"host_ram": 382, "decode_tokens_per_second": 12.8},
            "fits",
        ),
        ("8 通道 DDR5-4800 跑 70B q4_k_m 每秒多少 token", {"decode_tokens_per_second": 4.526}, None),
        (
            "How many CPU cores and how much RAM for a box with 8x L40S for inference?",
            {"cpu_cores": 28, "host_ram": 357.6},
            None,
        ),
    ],
)
def test_what_the_host_holds(knowledge: KnowledgeBase, question: str, expected: dict[str, float], verdict: str | None) -> None:
    assert _states(knowledge, [question], expected).verdict == verdict


def _states(knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]) -> Answer:
    conversation = None
    for turn in turns:
        answer = knowledge.ask(turn, conversation_id=conversation)
        conversation = answer.conversation_id
    found = told(answer)
    assert {n: found.get(n) for n in expected} == pytest.approx(expected, rel=2e-3), answer.text
    return answer


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["electricity cost per month of one 4090 flat out, 0.20 eur per kWh"], {"cost": 84.24}),
        (["一张 4090 满载跑一个月电费多少，电价两毛一度"], {"cost": 84.24}),
        (["max power of a DGX H100?", "per year in electricity if it is on all the time at 0.10 $/kWh"], {"cost": 8935.2}),
        (["DGX H100 最大功耗多少", "一年一直开着电费多少，1 元一度"], {"cost": 89_352}),
        (["租 4 张 A100 跑 10 天，每卡时 10 块钱，总共多少"], {"cost": 9600}),
        (
            ["租 4 张 A100 跑 10 天，每卡时 10 块钱，总共多少", "利用率只有 50%，折合每有效小时多少钱"],
            {"cost_per_useful_hour": 20},
        ),
        (["4 A100 for 10 days at $2 per GPU-hour, 50% utilization: total cost?"], {"cost": 1920}),
        (
            ["4 A100 for 10 days at $2 per GPU-hour, total cost?", "at 50% utilization what is that per useful hour?"],
            {"cost_per_useful_hour": 4},
        ),
    ],
    ids=lambda v: v[-1] if isinstance(v, list) else None,
)
def test_what_is_paid_for_power_and_time(knowledge: KnowledgeBase, turns: list[str], expected: dict[str, float]) -> None:
    _states(knowledge, turns, expected)


@pytest.mark.parametrize(
    "question",
    [
        "Buy or rent? An 8x H100 server costs $280k, cloud is $2.20 per GPU hour. After how many months does buying win?",
        "8 卡 H100 整机 260 万，租用每卡时 12 元，买还是租？几个月能回本？",
    ],
)
def test_after_the_break_even_nothing_is_asked_back(knowledge: KnowledgeBase, question: str) -> None:
    text = knowledge.ask(question).text
    assert "money" not in text
    assert "?" not in text and "？" not in text and "please tell me" not in text and "请补充" not in text


@pytest.mark.parametrize(
    "question",
    [
        "network bandwidth between nodes for 30B pretraining with data parallel on 4 nodes of H100?",
        "4 个节点的 H100 预训练 30B，数据并行，网络要多少带宽",
    ],
)
def test_servers_without_a_number_of_gpus_have_the_usual_eight(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert any("32 × 2048" in line.text for line in answer.derivation)
    assert "GPUs per node 8" in answer.text or "每节点 GPU 数 8" in answer.text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("10 小时能训完吗：8 张 H100 LoRA 微调 8B，1 亿 token", "现有 10 小时"),
        ("can 4 A100 full fine-tune an 8B on 500M tokens within 5 hours?", "only 5 hours"),
    ],
)
def test_hours_that_are_there_are_enough_or_not(knowledge: KnowledgeBase, question: str, says: str) -> None:
    assert says in knowledge.ask(question).text


@pytest.mark.parametrize(
    "question",
    [
        "32 台 8 卡 H100，fat-tree 无收敛，要多少台 64 口交换机",
        "how many 64-port switches for a non-blocking fat-tree of 256 H100?",
    ],
)
def test_switches_are_counted_by_the_article_about_them(knowledge: KnowledgeBase, question: str) -> None:
    answer = knowledge.ask(question)
    assert answer.kind == "passages" and "P × P / 2" in answer.text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("can two 4090 run Llama 3 70B q4?", ("only under a condition", "On condition that at least")),
        ("两张4090能跑 Llama 3 70B q4 吗", ("须满足下述条件", "条件：可用显存比例至少提到")),
        ("can I run DeepSeek V3 Q4 with ktransformers on one 4090?", ("with the experts in host memory", "the experts take")),
        ("llama3.1-8b full fine-tune with 8-bit Adam on one A100 80G, ok?", ("on condition that no 32-bit master weights",)),
        ("llama3.1-8b 全参 8bit Adam，单卡 A100 80G 行不行", ("有条件，不留 32 位主权重就放得下",)),
        ("一张4090用ktransformers能跑R1 q4吗", ("专家权重放在内存里", "专家权重占内存")),
    ],
)
def test_a_verdict_with_a_condition_says_the_condition(knowledge: KnowledgeBase, question: str, says: tuple[str, ...]) -> None:
    answer = knowledge.ask(question)
    assert answer.verdict == "fits_with_conditions"
    assert all(words in answer.text.split("\n\n")[0] for words in says)


@pytest.mark.parametrize(
    "question",
    [
        "how much host ram for zero-offload adam of a 30B model?",
        "offloading the optimizer to cpu for a 30b, whats the ram bill",
        "RAM for CPU offload of the optimizer, 30B",
        "30B 用 ZeRO-Offload，CPU 内存要多大",
        "优化器卸载到内存，30B 需要多少内存",
    ],
)
def test_what_is_offloaded_of_training_is_states_not_weights(knowledge: KnowledgeBase, question: str) -> None:
    """Gradients and Adam's states, 16 bytes per parameter, and with DeepSpeed's buffers half as much again."""
    values = {v.name: float(v.value or 0) for v in knowledge.ask(question).values}
    assert values["offloaded_states"] == pytest.approx(480e9 / 2**30) and values["host_ram"] == pytest.approx(720e9 / 2**30)
