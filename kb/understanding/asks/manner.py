"""In which manner a clause asks: for a verdict, a comparison, a reason, advice, a definition."""

from __future__ import annotations

import re

VERDICT = re.compile(
    r"够吗|够不|够用|够(?=,?\s?还是)|跑得动|能跑(?!多)|能不能(?:跑|上|放|用|训|微调|部署|推理|塞|装|炼"
    r"|练)|能上|能塞|塞得下|塞下|塞进|放得下|装得下|能(?:放|装)下|行不行|行吗|可以吗|可以么|能.{0,24}(?:吗"
    r"|么|嘛)\s*\??\s*$|有戏吗|起不来|能炼|能练|能训|带得动|撑得住|吃得消|扛得住|拖得动|单卡.{0,6}能"
    r"|够了?[吧嘛]?\s*\??\s*$|(?<![a-z])(?:does|do|cuts?) (?:it|the (?:job|trick))\s*\?"
    r"|(?<![a-z])(?:enough|fits?|(?:fine|okay|safe)\s*\?|doable|feasible|sufficient|suffice|can i (?:run|train|fine-?tune|serve"
    r"|use|lora|qlora)|can (?:a|my|one|two|the|we|you|it|this|\ue000)|could i (?:run|train)|will (?:it"
    r"|this|that|\S{1,12}) (?:fit|run|work)|would (?:it|this|that|\S{1,30}) (?:fit|run|do|work|handle)"
    r"|possible|realistic|is .{1,40} (?:fine|ok|okay|enough)|ok with my|be fine|gonna (?:work|fit|run)|going to (?:work|fit|run)"
    r"|(?:or|will it|would it|gonna|going to) oom)(?![a-z])|会不会\s?(?:爆|oom)|会\s?(?:爆显存|爆|oom)\s?(?:吗|么)"
)
WORTH = re.compile(r"(?<![a-z])worth (?:it|the|doing|using|trying)|值得吗|值不值|有没有(?:必要|意义)|有(?:必要|意义|用)吗")
BARE_FIT = re.compile(
    r"\ue002.{0,80}(?:on|in|with|@).{0,80}\ue000.{0,80}\?|\ue000.{0,80}(?:for|run"
    r"|to).{0,80}\ue002.{0,80}\?|\d{1,9}b.{0,80}(?:on|with).{0,80}\ue000.{0,80}\?"
    r"|\ue000.{0,40}\ue002.{0,12}\?"
    r"|\ue000[^,，。?]{0,16}(?:跑|带|运行|推理|训练?|微调)[^,，。?]{0,16}(?:怎么样|咋样|如何|效果)\s*[?？。]?\s*$"
)
HOW_MANY = re.compile(
    r"\W*(?:so |and )?(?:how (?:many|much|long|fast|big|large)|what(?:'s| is) the (?:max\w*|longest|largest))(?![a-z])"
)
HOW_MUCH = re.compile(
    r"=\s?\??\s*$|(?:要|得|是|共)?多少\s*\??\s*$|how much\s*\??\s*$|how much (?:is|for|in) (?:that|it|total|all)"
)
COMPARE = re.compile(
    r"对比|比较|相比|区别|差别|差多少|差在哪|差距|(?<![a-z])(?:vs\.?|versus|compare[ds]?|comparison"
    r"|differences?|differs?|slower than|faster than|better than|than the|as (?:fast|quick|good) as|keeps? up with"
    r"|(?:has|have|got) over)(?![a-z])"
    r"|哪个(?:好|快|强|更|能|划算|便宜|大|合适|省)|还是|比.{1,16}(?:快|慢|强|大|小|多|少|好|贵)|各(?:是)?(?:多少|有)|分别"
    r"|打平|(?:比|赶|追|跟|抵)得上|有.{1,16}(?:快|强)(?:吗|么|嘛|没|不|\?|$)"
    r"|(?:改|变|升级|提升|改进)了(?:什么|哪些|啥|哪里)|what (?:has |have )?(?:actually |really )?(?:changed|improved)(?![a-z])"
    r"|how many times|ratio|倍|谁更|which (?:is|one|has)|和.{1,20}(?:比|一样)|跟.{1,20}(?:比|一样|哪个)"
)
LINKS = r"(?:(?<![a-z])(?:ib|infiniband|nv-?link|nvswitch|nvlink bridges?|roce|rdma)(?![a-z])|高速网络|高速互联)"
OF_A_LINK = re.compile(
    rf"(?:需要|需不需要|要不要|用不用|必须|非得|有必要|该不该|得)[^,。;?]{{0,8}}{LINKS}[^,。;?]{{0,6}}(?:吗|么|嘛|\?|$)"
    rf"|{LINKS}[^,。;?]{{0,6}}(?:是?必须|是?必要|有必要|需要|有用|重要)[^,。;?]{{0,4}}(?:吗|么|嘛|\?|$)"
    rf"|(?<![a-z])(?:do|does|would|will|is|are|should)(?![a-z])[^,;?]{{0,60}}(?:need|require|necessary|worth|matter"
    rf"|help)[^,;?]{{0,24}}{LINKS}"
    rf"|(?<![a-z])(?:do|does|would|will|is|are|should)(?![a-z])[^,;?]{{0,40}}{LINKS}[^,;?]{{0,24}}(?:need|require|necessary"
    rf"|worth|matter|help)"
)
EITHER = re.compile(r"\ue000[^,;。?]{0,24}(?:(?<![a-z])or(?![a-z])|或者?|还是)[^,;。?]{0,24}\ue000")
WHY = re.compile(
    r"为什么|为啥|为何|怎么回事|咋回事|正常吗|(?<![a-z])(?:why|how come|normal\??|what is that"
    r"|expected)(?![a-z])|怎么(?:解决|办|排查|处理)|how (?:do i|to) (?:fix|solve|avoid|debug)|原因|是不是"
    r"|造成的吗|有救吗"
)
REASON = re.compile(r"为什么|为啥|为何|(?<![a-z])(?:why|how come)(?![a-z])")
DEFINES = re.compile(
    r"^\W*(?:what(?:'?s| is| are)|什么是|啥是|何为|define|explain) (?:an? |the )?[a-z][a-z /-]{1,32}\W*$"
    r"|^\W*(?:什么是|啥是|何为)[^,，。?]{1,24}\W*$"
    r"|^\W*\S{1,16}(?: \S{1,12}){0,2}\s?(?:是什么(?:意思)?|是啥|什么意思)\W*$|difference between"
)
# What a measure brings, or costs in quality: known of the measure, without a job.
EFFECT = re.compile(
    r"(?:省|节省|节约|降低?|减少?|小)(?:下|掉|了)?(?:多少(?!钱|电|元)|几成|一半)|影响[^,。?]{0,6}(?:精度|质量|效果|大不大|多大)"
    r"|(?:精度|质量|效果)[^,。?]{0,6}(?:损失|影响|下降|变差|变化)"
    r"|(?<![a-z])(?:saves?|halves?|cuts?|reduces?)(?![a-z])[^?]{0,24}(?:half|how much|by how|memory|in half)"
    r"|how much (?:memory |vram )?(?:does|do|can|would|will|is) [^?]{1,40}(?<![a-z])sav(?:e|ed)(?![a-z])"
    r"|(?:hurt|lose|loss of|affect|degrade|impact on)[^?]{0,16}(?:quality|accuracy|precision)|(?:quality|accuracy) (?:loss|drop|impact)"
)
# How much a way of serving brings, and whether to share a model out or to copy it: of no card in particular the articles tell.
_WAY = (
    r"(?:speculative (?:decoding|sampling)|投机(?:解码|采样)|推测解码|前缀缓存|提示缓存|(?<![a-z])(?:mtp|eagle-?3?"
    r"|(?:prefix|prompt)[- ]cach\w*|chunked prefill)(?![a-z]))"
)
_BRINGS = (
    r"(?:(?:多少|几)倍|快(?:多少|几|吗|不少)|提速|加速|提高|提升"
    r"|(?<![a-z])(?:faster|speed-?ups?|speeds? up|gains?|brings?|saves?)(?![a-z]))"
)
_COPIES = r"(?:副本|实例|(?<![a-z])(?:replicas?|copies|instances|dp ?\d*|data[- ]parallel\w*)(?![a-z]))"
_SPLIT = r"(?:(?<![a-z])(?:tp ?=?\d*|tensor[- ]parallel\w*)(?![a-z])|张量并行)"
_OR = r"[^,;。?]{0,16}(?:还是|(?<![a-z])(?:or|vs|versus)(?![a-z]))[^,;。?]{0,16}"
GAIN = re.compile(
    rf"{_WAY}[^;。?]{{0,32}}{_BRINGS}|{_BRINGS}[^;。?]{{0,32}}{_WAY}|{_SPLIT}{_OR}{_COPIES}|{_COPIES}{_OR}{_SPLIT}"
)
# What a known run took, which was published.
TRAINED = re.compile(r"训练|(?<![a-z])(?:pre-?)?train(?:ed|ing|s)?(?![a-z])")  # how a model was made
PUBLISHED = re.compile(
    r"(?:用了|花了|用掉|花掉|耗时|训了|训练了|练了)[^,。?]{0,8}(?:多少|多久|几)|(?:多少|多久|几)[^,。?]{0,12}(?:训出来"
    r"|训练出来|练出来|训完的|训练完的)"
    r"|(?:训练|预训练|训)(?:的)?(?:成本|花费|费用)(?:是|有|要)?(?:多少|多高)"
    r"|(?<![a-z])(?:did|was|were) [^?]{0,60}(?:take|cost|use|need|spend|trained|pretrained)(?![a-z])|(?<![a-z])(?:took|spent)(?![a-z])"
)
HOWTO = re.compile(
    r"经验(?:值|公式|法则|数字)|(?<![a-z])rules? of thumb(?![a-z])"  # of any model
    r"|每(?:10|十)?\s?(?:b|亿)\s?(?:模型)?(?:的)?参数|(?<![a-z])per (?:1 ?b|b|billion)(?![a-z])|"
    r"(?:多少|几)(?:台|个)?[^,。;?]{0,8}交换机|how many [^,.;?]{0,24}(?<![a-z])switches(?![a-z])"
    r"|怎么|如何|咋|办法|取决于|受什么|由什么决定|瓶颈|该不该|要不要|需不需要|有必要|建议|推荐|注意"
    r"|哪些(?:费用|开关|钱|投入|因素|指标)"
    r"|什么档次|(?<![a-z])(?:how (?:do|to|should|can)|what can (?:i|we) do|what (?:limits|determines"
    r"|decides)|bottleneck|should i|(?<!memory )(?<!vram )(?<!gpus )(?<!cards )(?<!gpu )do i need(?! (?:two|three|four|more|\d)(?![a-z]))"
    r"|what do i use|what should i"
    r"|recommend|best way|tips|explain|does (?:each|every|it(?!\s*\?|\s+(?:fit|run|work|hold)s?(?![a-z]))|the|that|this)"
    r"|difference between|what does"
    r"|what is an?|什么是|是什么意思|meaning)(?![a-z])"
)


def asks_verdict(clause: str, masked: str) -> bool:
    """Whether a clause asks if something is enough or fits."""
    return bool(VERDICT.search(clause) or VERDICT.search(masked))


def names_a_fit(masked: str) -> bool:
    """Whether a clause that asks for nothing else puts a model on a card: `70B on 2x 4090?`"""
    return bool(BARE_FIT.search(masked))


ASKS = re.compile(
    r"[?？]|还是|[吗么]|什么|怎么|咋|如何|哪|多少|几|是不是|会不会|要不要|能不能|值不值|对不对|好不好|行不行|可不可以"
    r"|(?<![a-z])(?:what|which|who|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|should|would|will|or|true|help)(?![a-z])"
    r"|听说|都说|人说|友说|(?<![a-z])(?:says?|said|told|heard|claims?|claimed)(?![a-z])"
    r"|(?:error|warn(?:ing)?|fail(?:ed|s)?|报错|失败|not supported|number|号)(?![a-z])",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Whether a text asks something, or reports what went wrong."""
    return bool(ASKS.search(text))
