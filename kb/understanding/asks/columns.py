"""Which columns of a spec table a question asks for, by what it names: cards, servers, links, processors, drives, models."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.understanding.found import Found

MEMORY = (
    r"(?:显存|显示记忆体|视频内存)(?!的?(?:带宽|类型|温度|结温))|(?<![a-z])(?:v-?ram|gpu (?:memory|ram)|video memory|hbm|memory|gigs?"
    r"|mem)(?![a-z])(?! ?(?:bandwidth|bw|带宽|type|类型|的?带宽|junction|temp))|(?:多少|几个?) ?gb?(?![a-z/])|how many gb?(?![a-z/])"
)
# Shapes of a board, as the table writes them, and how people do.
SHAPES = (
    ("single-slot", r"单槽|單槽|(?<![a-z])(?:single|one|1)[- ]slot(?![a-z])"),
    ("dual-slot", r"双槽|雙槽|(?<![a-z])(?:dual|double|two|2)[- ]slot(?![a-z])"),
    ("triple-slot", r"三槽|(?<![a-z])(?:triple|three|3)[- ]slot(?![a-z])"),
    ("low profile", r"半高|(?<![a-z])(?:low[- ]profile|half[- ]height)(?![a-z])"),
    ("passive", r"被动散热|被動散熱|(?<![a-z])passive(?:ly)?[- ]cool\w*"),
)
COLUMNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (column, re.compile(pattern))
    for column, pattern in (
        (
            "interconnect_gb_s",
            r"(?<!memory )bandwidth (?:of|over|per) (?:an? |the )?nv-?link"
            r"|nv-?link.{0,10}?(?:带宽|bandwidth|速度|speed|gb/?s|速率|多少|number|[≥>=]|标称|says)|(?:互联|互连"
            r"|卡间|interconnect|infinity fabric|p2p).{0,6}(?:带宽|bandwidth|speed|速度|gb)|标称 ?900|(?:nvlink"
            r"|p2p).{0,20}(?:单向|双向|per[- ]direction)"
            r"|(?:[张卡块]|gpu|\ue000)[^,，。;?]{0,6}(?:之间|间)[^,，。;?]{0,8}带宽|(?:装|插|加|用|上)(?:上|了)?桥|桥接"
            r"|(?<![a-z])nccl[^,，。;?]{0,24}(?:带宽|bandwidth|gb/?s)|(?<![a-z])bridg(?:e|ed|ing)(?![a-z])[^,.?]{0,24}(?:bandwidth|fast|speed|gb)"
            r"|(?<![a-z])(?:per[- ]direction|one[- ]way|uni-?directional|each way)(?: theoretical| nominal)?"
            r" (?:number|figure|value|rate|limit|bandwidth|maximum|peak|spec)(?![a-z])|单向(?:的)?(?:理论|标称|峰值)"
            r"|nv-?link[^,.?;]{0,24}(?:how fast|多快)|(?:how fast|多快)[^,.?;]{0,24}nv-?link",
        ),
        (
            "interconnect_name",
            r"(?:支持|支不支持|带不带|有没有|能不能|能插|能上|带|有|插|上|support|have|has|got|with|still|(?<![a-z])do(?:es)?(?![a-z])"
            r"|nv-?link ?(?:ready|bridge|桥)).{0,8}nv-?link|nv-?link.{0,8}(?:支持|吗|么|support|bridge|ready|桥"
            r"|可以|available)|nv-?link\s*(?:[?。]?\s*$|呢|如何|怎么样|then)|interconnect|互联|互连",
        ),
        (
            "memory_bandwidth_gb_s",
            r"(?:显存|内存|访存|hbm|memory|vram|mem)[ ]?(?:的)?(?:带宽|bandwidth|bw(?![a-z]))"
            r"|(?<!nvlink )(?<!nvlink)(?<!互联)(?<!互连)(?<!卡间)(?<!网络)带宽"
            r"|(?<!nvlink )(?<!link )(?<!network )(?<!interconnect )(?<!pcie )(?:bandwid?th|(?<![a-z])bw(?![a-z]))|memory speed",
        ),
        ("memory_gb", rf"{MEMORY}|(?<!视频)(?:内存|(?<!显示)记忆体)(?! ?的?带宽)"),
        ("memory_type", r"显存类型|memory type|hbm(?:2e?|3e?)?(?: 还是|是哪代|版本)|gddr.{0,4}还是|什么显存|which hbm"),
        (
            "tdp_w",
            r"功耗|功率|(?<![a-z])(?:tdp|tgp|watts?|wattage|power draw|power consumption|rated power"
            r"|power limit|power difference|(?:board|card|gpu|chip|graphics|peak|max(?:imum)?) power(?! (?:suppl|limit|cap))"
            r"|pulls?|draws?)(?![a-z])|(?<![a-z])power\s*[?.]?\s*$|多少瓦|几瓦|满载多少|耗电|省电"
            r"|power[- ]hungry",
        ),
        (
            "pcie_gen",
            r"pcie ?(?:几|哪代|版本|gen|generation|第几代)|支持 ?pcie|(?:support|have|has) pcie|pcie ?\d(?:\.0)? ?(?:吗|么|接口)",
        ),
        (
            "pcie_lanes",
            r"(?:pcie|many) ?lanes?|(?:pcie)? ?通道数?|(?<![a-z])x(?:4|8) (?:or|还是) x(?:8|16)(?![\da-z])|x16 (?:or|还是) x8",
        ),
        (
            "matrix_units",
            r"(?:多少|几)个?\s?(?:tensor cores?|张量核心)|how many (?:tensor|matrix) cores|(?:tensor core|张量核心)数",
        ),
        ("boost_clock_mhz", r"加速频率|boost (?:clock|freq)"),
        ("memory_bus_bits", r"位宽|(?<![a-z])bus width"),
        ("family_architecture", r"(?:什么|哪代|哪种|哪个)架构|架构是|(?:which|what) architecture"),
        ("form_factor", r"form factor|形态|封装|插槽|几槽|slots? (?:wide|does)|" + "|".join(p for _, p in SHAPES)),
        (
            "release_year",
            r"哪年|什么时候(?:发布|出|上市)|发布(?:时间|年份)|release(?:d| date| year)|launch(?:ed)?"
            r"|when did .{0,20}(?:come out|launch)",
        ),
        ("msrp_usd", r"msrp|首发价|发布价|launch price|建议零售价|官方价"),
        ("max_gpus_per_node_typical", r"(?:一台|单机|每(?:台|个)?节点)最多.{0,4}(?:几|多少)(?:张|卡)|max gpus? per node"),
    )
)
FORMAT_COLUMNS = {
    "fp64": "fp64_tflops",
    "fp32": "fp32_tflops",
    "tf32": "tf32_dense_tflops",
    "fp16": "fp16_dense_tflops",
    "bf16": "bf16_dense_tflops",
    "fp8": "fp8_dense_tflops",
    "int8": "int8_dense_tops",
    "fp4": "fp4_dense_tflops",
}
SHORT_RATE = re.compile(r"(?<![a-z\d.])\d{2,5}(?:\.\d)?\s?[tp](?![a-z\d])")  # fp16 330T
SHORT_LINK = re.compile(r"nv-?link\s?(?:带宽|bandwidth)?\s?(?:是|有|为|is|has|does)?\s?\d{2,4}\s?g(?:b?/s)?(?![a-z\d])")
DENSE = frozenset(c for f, c in FORMAT_COLUMNS.items() if f not in ("fp64", "fp32"))
# Properties that people ask for and no table holds: said to be missing.
UNKEPT: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("transistors", r"晶体管|transistors?(?![a-z])"),
        ("process_node", r"制程|工艺|(?:几|多少) ?(?:nm|纳米)|(?<![a-z])(?:process node|manufacturing process)(?![a-z])"),
        ("die_size", r"(?:芯片|核心|裸片|die)面积|die (?:size|area)"),
        ("cuda_cores", r"cuda ?(?:cores?|核心?)|流处理器|stream processors?|shader (?:units|cores)"),
        ("cache_size", r"(?:l[23]|二级|三级) ?(?:cache|缓存)"),
    )
)
# Ratios: a column by another one, `memory_gb/tdp_w`.
PER = (
    ("tdp_w", re.compile(r"每瓦|能效|(?<![a-z])per[- ]watt|/ ?w(?:att)?(?![a-z])|(?:power|energy)[- ]efficien")),
    (
        "msrp_usd",
        re.compile(r"每(?:美元|块钱|元)|(?<![a-z])per[- ](?:dollar|usd|\$|buck)|/\$|value for (?:the )?money|bang for"),
    ),
)
PRICE_PER_GB = re.compile(
    r"(?:cheap\w*|price|cost|dollars?|\$)[^,.?]{0,12}(?:(?<![a-z])per|/) ?gb(?![a-z/])"
    r"|每 ?gb?(?:显存)?[^,。?]{0,6}(?:便宜|价格|价钱|多少钱|贵)"
)
# Of memory, what is fast is its bandwidth.
FAST_MEMORY = re.compile(
    r"(?:faster|slower|fastest|slowest|how fast|speed)[^,.?]{0,32}(?<![a-z])(?:memory|hbm\w{0,2}|vram)(?![a-z])"
    r"|(?<![a-z])(?:memory|hbm\w{0,2}|vram)(?![a-z])[^,.?]{0,32}(?:faster|slower|how fast)"
    r"|(?:显存|记忆体|hbm\w{0,2})[^,。?跑训推练装放]{0,16}(?:更?快|更?慢|速度)"
)
# How fast a card is, where no model is to run on it: both what its memory and what its compute gives.
SPEED_OF_CARD = re.compile(
    r"how fast (?:is|are) (?:it|that|this|these|they|the|an?|\ue000)[^,.;]{0,12}\W*$|(?:它|这卡|这张卡|\ue000)?(?:速度)?(?:有|能)?多快\W*$"
)
SPEED_LISTED = re.compile(
    r"(?:[,、/&+ 和与及]|and )(?:speeds?|速度)\s*(?:[,、?。和与及/]|and(?![a-z])|$)"
    r"|^\W*(?:speeds?|速度)\s*(?:[,、和与及]|and )"
)
SPEED = ("memory_bandwidth_gb_s", "bf16_dense_tflops")
ITS_HBM = re.compile(r"(?<![a-z])hbm(?:\de?)? ?(?:n|and|&|\+|,|、|和|与|size|capacity|容量|多大|多少)(?![a-z])")
CAPACITY = re.compile(r"容量|capacity|how much memory|多大|大多少|更大|larger|bigger")
OF_A_BUS = re.compile(
    r"(?:pcie|nv-?link)[^。;?]{0,24}(?:带宽|bandwidth)(?<!显存带宽)(?<!memory bandwidth)"
    r"|(?<!memory )bandwidth (?:of|over|per) (?:an? |the )?nv-?link"
)  # which is none of a card's memory
IN_TERABYTES = re.compile(r"(?<![a-z])tb?/s")  # in which a rate is asked for
STATES_RATE = re.compile(r"\d ?[gt]b?/s")
HELD = re.compile(r"容量|(?<![a-z])capacity(?![a-z])")  # beside a bandwidth, that of the memory
SPARSE = re.compile(r"稀疏|(?<![a-z])(?:sparse|sparsity)(?![a-z])")
NOT_SPARSE = re.compile(
    r"(?:非|无|不含|不带|不是|不算|不要|不计|不看|不用|别(?:给|要|用|算|说|拿|报)|不考虑|去掉|除去|排除|没有)(?:结构化)?稀疏|稀疏(?:的)?(?:不算|除外)"
    r"|(?<![a-z])(?:without|no|not|non|excluding|except|minus|ignor(?:e|ing))[ -]"
    r"(?:the |any |[a-z]+ing |inflated |advertised |quoted |headline |structured |2:4 ){0,3}"
    r"(?:sparse|sparsity)(?![a-z])|(?<![a-z])sparsity (?:off|disabled|excluded|aside)(?![a-z])"
)
COMPUTE = re.compile(
    r"算力|稠密|稀疏|(?<![a-z])(?:dense|sparse|sparsity|tflops|flops|teraflops|tops(?! out)|pflops|compute"
    r"|peak)(?![a-z])|浮点|峰值|tensor core|(?:几|多少)个?\s?t(?![a-z/])"
)
SO_MANY_T = re.compile(r"(?:几|多少)个?\s?t(?![a-z/])")  # of compute, where a card and a format are named
SUPPORTS = re.compile(r"支持|能用|能跑|开|有|support|capable|能不能|can .{0,12}(?:do|run|use)|does .{0,20}(?:do|have)|have|has")
RATE = re.compile(r"(?<![a-z])rates?(?![a-z])|速率")
MODEL_COLUMNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (column, re.compile(pattern))
    for column, pattern in (
        ("params_active", r"激活(?:了)?(?:参数|多少(?!个?专家))|active param|(?<![a-z])activat(?:e[sd]?"
            r"|ing)(?![a-z])|多少激活"),
        ("params_total",
            r"(?:多少|总|几).{0,3}参数|参数(?:量|规模|数)?(?:是)?(?:多少|有多)|how many param|parameter count"
            r"|参数更?多|(?<![a-z])(?:more|fewer) param"
            r"|(?<![a-z])total (?:and active )?param|param\w*[^?。]{0,40}(?<![a-z])total(?![a-z])|number of parameters|model size"),
        ("kv_heads", r"kv[ _-]?heads?|kv ?头|键值头|gqa"),
        ("heads",
            r"(?<!kv )(?<!kv)(?<!kv_)(?:attention |注意力)heads?|注意力头|多少个?头|几个?头(?!部)|how many heads"
            r"|(?<!kv)(?<!kv )(?<!键值)头数"),
        ("layers", r"多少层|几层|层数|how many layers|number of layers|num_layers|layers\?"),
        ("hidden", r"hidden(?! states?)|隐藏(?!状态)|d_model"),
        ("vocab", r"词表|vocab"),
        ("head_dim", r"head[ _-]?dim"),
        ("context",
            r"(?:最大|最长|支持|原生|native|max(?:imum)?).{0,8}(?:上下文|context)|上下文(?:长度|窗口)?(?:是"
            r"|有)?(?:最)?(?:多少|多长|多大|长|大)|how long (?:is|a) .{0,12}context"
            r"|(?<![a-z])context (?:length|window|size)(?![ ,:=]{0,2}(?:of |is )?\d)"),
        ("moe_experts", r"(?<!激活)(?<!选)(?<!用)(?<!走)(?:多少|几)(?:个)?专家(?!per)"
            r"|how many (?:routed )?experts(?! (?:per|are (?:active|used)|does it (?:use|activate)))|number of experts"),
        ("moe_top_k", r"top[- ]?k|(?:激活|选|用|走|路由到)了?(?:几|多少)个?专家|experts? (?:per|for each"
            r"|are active|are used)|experts? does it (?:use|activate)"),
        ("attention", r"(?:什么|哪种)注意力|attention (?:type|mechanism|kind)|(?:用的?|是) ?(?:mla|gqa|mha)"),
    )
)  # fmt: skip
BOTH_SIZES = re.compile(r"总|total|和|与|and|both|分别")
SYSTEM_COLUMNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (column, re.compile(pattern))
    for column, pattern in (
        ("power_max_kw", r"功耗|功率|耗电|power(?! suppl)|瓦|watts?|(?<![a-z])kw(?![a-z])"),
        ("rack_units", r"几u|多少u|rack units?|高度|how (?:tall|high)"),
        ("ram_gb", r"(?<!显示)(?<!gpu )内存|主存|system (?:ram|memory)|(?<![a-z])ram(?![a-z])|(?:host|cpu) memory"),
        ("accelerator_memory_total_gb", r"总?显存|total (?:gpu )?(?:memory|vram)|hbm|vram|(?:gpu|accelerator) memory"),
        ("accelerator_count",
            r"(?:几|多少|几颗|哪几)\s?(?:张|块|颗|个|片)?\s?(?:卡|显卡|gpu|加速卡|npu|芯片|\ue000)|(?:装|有"
            r"|带|含)了?(?:几|多少)(?:张|块|颗|片)"
            r"|how many (?:gpus?|cards|accelerators|chips|npus|tpus|\ue000)|number of (?:gpus|accelerators|chips)"),
        ("network_gbps_total", r"网络|网卡(?!型号)|network|(?<![a-z])nics?(?![a-z])|efa|bandwidth to|对外带宽|出口带宽"),
        ("nic", r"(?:什么|哪种|哪款|啥)网卡|网卡型号|(?:which|what) (?:nics?|network (?:cards?|adapters?))"),
        ("local_storage_tb", r"硬盘|存储|固态|nvme|(?:local )?storage|ssds?(?![a-z])|disks?(?![a-z])"),
        ("cpu_model", r"(?:什么|哪种|哪款|啥|几)\s?cpu|(?:which|what) (?:cpus?|processors?)|(?:用的?"
            r"|配的?)处理器|处理器(?:是|型号)|cpus?(?: are| is| model)"),
        ("cpu_count", r"几[颗个块路]\s?cpu|how many (?:cpus|processors|sockets)"),
        ("cpu_cores_total", r"(?:多少|几)(?:个)?\s?(?:cpu)?\s?(?:核|vcpus?)|how many (?:cpu )?(?:cores"
            r"|vcpus)|(?:核|vcpus?)数"),
        ("nvlink_domain_gpus", r"nvlink (?:domain|域)|(?:domain|域)内|scale-?up (?:domain|size)"),
        ("nvlink_total_tb_s", r"nvlink(?! (?:domain|域))|nvswitch"),
        ("fp8_dense_pflops_total", r"算力|pflops|fp8|(?<![a-z])compute|petaflops"),
        ("fp4_dense_pflops_total", r"fp4"),
        ("release_year", r"哪年|什么时候(?:发布|出|上市)|release(?:d| date| year)|launch(?:ed)?"),
    )
)  # fmt: skip
LINK_COLUMNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (column, re.compile(pattern))
    for column, pattern in (
        ("links_per_gpu", r"(?:几|多少)(?:条|个|路|根)?\s?(?:链路|link|通道)|how many (?:nvlinks?|links)"
            r"|(?:number of )?links per gpu|链路数"),
        ("per_link_raw", r"每条(?:链路)?|单(?:条|个)?链路|per[- ]link|each link|per lane"),
        ("raw_gbps_per_port", r"线速|line rate|每个?端口|单(?:端)?口|一个口|per port|a port|port (?:speed"
            r"|rate)|gb/s|gbps|gbit"),
        ("gb_s_bidirectional", r"双向|bidirectional|both (?:directions|ways)|合计|in total"),
        ("gb_s_per_direction", r"gb/s|换算|(?<![a-z])convert"
            r"|单向|单边|per[- ](?:direction|way)|(?:one|each|a single)[- ](?:direction"
            r"|way)|gigabytes per second"),
        ("year", r"哪年|什么时候(?:发布|出|推出)|release(?:d| date| year)|introduced|launch(?:ed)?"),
    )
)  # fmt: skip
KEPT_OF = frozenset({"accelerators", "systems", "cpus"})
LINK_SPEED = re.compile(
    r"带宽|速率|速度|多快|哪(?:个|种)更?快|faster"
    r"|吞吐|bandwidth|speed|how fast|throughput|rate(?![a-z])|多少 ?(?:g|gb)(?![a-z])|give|difference|差"
)
CPU_COLUMNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (column, re.compile(pattern))
    for column, pattern in (
        ("cores", r"核|cores?(?![a-z])"),
        ("threads", r"线程|threads?(?![a-z])"),
        ("memory_channels", r"(?<!pcie )(?<!pcie)(?:内存)?通道|(?:memory|ddr\d?|ram) channels?|channels"),
        ("memory_type", r"什么内存|哪种内存|哪代内存|内存类型|ddr(?!\d?-\d)|memory type|(?:what"
            r"|which) (?:kind of )?(?:memory|ram)"),
        ("memory_gb_s", r"带宽|bandwidth|gb/s"),
        ("pcie_gen", r"pcie ?(?:几|哪代|版本|gen|generation|第几代)|(?:which|what) pcie"),
        ("pcie_lanes", r"pcie ?(?:lanes?|通道|有?多少|几条)|lanes"),
        ("tdp_w", r"功耗|功率|(?<![a-z])(?:tdp|watts?|wattage|power(?! of))(?![a-z])|瓦|耗电"),
        ("year", r"哪年|什么时候(?:发布|出|推出)|release(?:d| date| year)|launch(?:ed)?"),
    )
)  # fmt: skip
STORE_COLUMNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (column, re.compile(pattern))
    for column, pattern in (
        ("seq_read_gb_s", r"读|(?<![a-z])read"),
        ("seq_write_gb_s", r"写|(?<![a-z])writ(?:e|ing)"),
        ("random_read_iops", r"iops|随机"),
        ("gb_s_per_channel", r"单通道|每通道|每个通道|per[- ]channel|(?:one|single|a) channel|each channel"),
        ("channels_typical", r"(?:几|多少)个?通道|how many channels"),
        ("gb_s_total", r"[八四六双十]\s?(?:二\s?)?通道|总带宽|per (?:socket|cpu|stack)|每(?:路|颗|个?堆栈)"
            r"|total|all channels"),
    )
)  # fmt: skip
STORE_SPEED = re.compile(r"带宽|速度|速率|多快|哪(?:个|种)更?快|faster|吞吐|bandwidth|speed|how fast|throughput|gb/s")


def ratio_of(clause: str, found: Sequence[Found]) -> str | None:
    """The ratio of two columns that a clause speaks of, as `column/column`."""
    if PRICE_PER_GB.search(clause):
        return "msrp_usd/memory_gb"
    per = next((column for column, pattern in PER if pattern.search(clause)), None)
    if per is None:
        return None
    formats = [FORMAT_COLUMNS[str(f.value)] for f in found if f.quantity == "precision" and f.value in FORMAT_COLUMNS]
    if formats:
        return f"{formats[0]}/{per}"
    measured = ("memory_bandwidth_gb_s", "memory_gb")
    of = next((c for c, p in COLUMNS if c in measured and p.search(clause)), None)
    return f"{of or 'bf16_dense_tflops'}/{per}"


def sparse(column: str) -> str:
    """The rate of a format with structured sparsity, derived from the dense one."""
    return f"{column}*sparsity_factor" if column in DENSE else column


def of_sparse(text: str) -> bool:
    """Whether the rate with structured sparsity is asked for, not the one without."""
    return SPARSE.search(NOT_SPARSE.sub(" ", text)) is not None


def columns_of(clause: str, masked: str, found: Sequence[Found], tables: frozenset[str]) -> tuple[str, ...]:
    """Spec columns a clause asks for, for entities of the given tables."""
    out: list[str] = []
    if "models" in tables:
        named = [c for c, p in MODEL_COLUMNS if p.search(clause)]
        out += [c for c in named if not (c == "params_total" and "params_active" in named and not BOTH_SIZES.search(clause))]
    if "systems" in tables:
        out += [c for c, p in SYSTEM_COLUMNS if p.search(clause)]
    if "interconnects" in tables:
        out += _of_link(clause)
    if "cpus" in tables:
        out += [c for c, p in CPU_COLUMNS if p.search(clause)]
    if "storage_and_memory" in tables:
        named = [c for c, p in STORE_COLUMNS if p.search(clause)]
        out += named or (
            ["seq_read_gb_s", "seq_write_gb_s", "gb_s_per_channel", "gb_s_total"] if STORE_SPEED.search(clause) else []
        )
    if "accelerators" in tables:
        formats = [str(f.value) for f in found if f.quantity == "precision"]
        linked = any(f.unit == "interconnects" for f in found)  # whose names are masked, and say which bandwidth
        asked = [c for c, p in COLUMNS if p.search(masked) or (linked and c == "interconnect_gb_s" and p.search(clause))]
        if "memory_gb" not in asked and ITS_HBM.search(clause):  # which is a name of memory, and masked
            asked.append("memory_gb")
        stated = SUPPORTS.search(clause) or RATE.search(clause) or SHORT_RATE.search(clause)
        if COMPUTE.search(clause) or (formats and (stated or (asked and "models" not in tables))):
            named = [FORMAT_COLUMNS[f] for f in formats if f in FORMAT_COLUMNS]
            rates = named or (["bf16_dense_tflops", "fp16_dense_tflops"] if COMPUTE.search(clause) else [])
            out += [*(sparse(c) for c in rates if of_sparse(clause)), *rates]
        out += asked
        if asked and "models" not in tables and SPEED_LISTED.search(masked):
            out += SPEED
        if SHORT_LINK.search(clause):
            out.append("interconnect_gb_s")
        if "memory_bandwidth_gb_s" in asked and OF_A_BUS.search(clause):
            asked = [c for c in asked if c != "memory_bandwidth_gb_s"]
            out = [c for c in out if c != "memory_bandwidth_gb_s"]
        if "memory_bandwidth_gb_s" in asked and "memory_gb" not in asked and HELD.search(masked):
            out.append("memory_gb")
        if FAST_MEMORY.search(SPEED_LISTED.sub(" ", masked)):
            out = [*(c for c in out if c != "memory_gb" or CAPACITY.search(masked)), "memory_bandwidth_gb_s"]
        if "interconnect_name" in out and re.search(r"interconnect|互联|互连|how fast|多快|\d\s?gb?(?:/s)?(?![a-z])", clause):
            out.append("interconnect_gb_s")
        elif "interconnect_name" in out and "interconnect_gb_s" in out:
            out.remove("interconnect_name")
        if (
            "memory_bandwidth_gb_s" in out
            and "interconnect_gb_s" in out
            and not re.search(r"显存带宽|memory bandwidth|hbm bandwidth|内存带宽|bandwidth and", clause)
        ):
            out.remove("memory_bandwidth_gb_s")
    if "accelerators" in tables and (ratio := ratio_of(clause, found)):
        out = [ratio, *ratio.split("/"), *(c for c in out if c not in ("bf16_dense_tflops", "fp16_dense_tflops"))]
    if tables & KEPT_OF:
        out += [name for name, p in UNKEPT if p.search(clause)]
    return tuple(dict.fromkeys(out))


# What may stand beside a card and a format where nothing but whether it has that is asked: `V100 bf16?`
BARE_FORMAT = re.compile(r"\W*(?:(?:on|for|in|with|the|an?|and|inference|training|推理|训练|[呢吗用上的])\W*)*")


def formats_alone(masked: str, low: str, found: Sequence[Found], paired: bool) -> tuple[str, ...]:
    """The rates of the formats that are named of cards with nothing else, or of several cards: which of them computes in it."""
    rest = masked.replace("\ue000", " ")
    for f in found:
        rest = rest.replace(low[f.start : f.end], " ")
    named = [FORMAT_COLUMNS[str(f.value)] for f in found if str(f.value) in FORMAT_COLUMNS]
    return tuple(dict.fromkeys(named)) if paired or BARE_FORMAT.fullmatch(rest) else ()


def _of_link(clause: str) -> list[str]:
    """A link's speed is told for one direction and for both, unless one of them or the line rate is asked for."""
    named = [c for c, p in LINK_COLUMNS if p.search(clause)]
    if named or not LINK_SPEED.search(clause):
        return named
    return ["gb_s_per_direction", "gb_s_bidirectional"]
