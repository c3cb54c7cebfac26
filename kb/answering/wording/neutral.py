"""Small words, for the check of rephrased sentences: those that claim nothing, those that mean the same, those that turn the sense.

A phrase is matched whole in English, anywhere in Chinese (simplified), the longest first; patterns are regular expressions.
"""

from __future__ import annotations

import re

# May come and go.
NEUTRAL = (
    r"an?|the|is|are|was|were|be|been|being|do|does|did|it|its|this|that|these|those|which|who|whose|there|here|of|in|on|at|for"
    r"|with|as|and|also|then|while|whereas|has|have|had|having|offers?|provides?|features?|comes? with"
    r"|的|了|是|为|在|和|与|及|以及|并且|并|而(?!非|不)|则|其|该|这些|这|那|此|它们?|对于|对|于|把|将|来说|来|就|也|还(?!原)|地|着|所(?!有)|有|具备|具有|拥有|配备|提供"
)

# Mean the same: one may stand for another. Each line a group.
SAME = (
    r"takes?|took|taking|uses?|used|using|occup(?:y|ies)|占用?|使用|采用|用(?!户|途)",
    r"per|each|every|每(?:一个?)?",
    r"says?|states?|prints?|gives?|写明|写|给出|标明",
    r"but|however|though|although|yet|但是?|不过|然而",
    r"say so|let us know|tell us|请说明|请告知",
    r"first of all|one thing first|to begin with|先更正一点|首先",
    r"such as|for example|for instance|like|例如|比如|如(?!果|何)",
    r"enough|sufficient|sufficiently|足够|够(?!不)",
    r"chooses?|choosing|picks?|picking|selects?|selecting|选择|选用|选(?!项)",
    r"buys?|buying|bought|purchas(?:e|es|ed|ing)|购买|买",
    r"grows?|growing|increas(?:e|es|ing)|rises?|rising|增长|增加|上升",
    r"falls?|falling|drops?|dropping|decreas(?:e|es|ing)|shrinks?|shrinking|下降|减少",
    r"lets?|letting|allows?|allowing|enabl(?:e|es|ing)",
    r"begins?|beginning|starts?|starting|开始",
    r"big|large",
    r"quick|quickly|fast",
)

# Turn the sense: what has one keeps it, what has none gains none. Each line a group; a figure of words is a group of its own.
TURNS = (
    r"not|no|never|nor|neither|none|cannot|\w+n['’]t|lacks?|lacking|fails?|un(?:supported|able|available|known|published|safe)|insufficient|impossible|不(?!过|仅|同|断|只)|没有?|无法|无(?!论)|未(?!来)|非(?!常)|否",
    r"without",
    r"wrong|false|incorrect|错误?",
    r"needs?|needed|needing|requires?|required|requiring|需要|需|要求|要(?!么)",
    r"at least|or more|no(?:t)? less than|no(?:t)? fewer than|minimum|至少|起码|最少|不少于|不低于|不小于|以上|起步",
    r"at most|up to|or less|or fewer|no(?:t)? more than|maximum|within|至多|最多|不超过|不高于|不大于|以下|以内",
    r"more(?: than)?|above|over|exceeds?|greater(?: than)?|超过|高于|大于|多于",
    r"less(?: than)?|fewer(?: than)?|below|under|smaller than|lower than|低于|小于|少于|不到",
    r"only|just|solely|alone|只有|仅|只(?!要)|唯一",
    r"if|unless|when|once|except|provided|as long as|otherwise|如果|若|假如|只要|除非|一旦|除了|否则",
    r"may|might|can|could|可能|也许|或许|可以|能够?",
    r"must|should|has to|have to|必须|应该?|务必|建议",
    r"usual|usually|typical|typically|often|generally|mostly|commonly|通常|一般|往往|常见?",
    r"about|around|roughly|approximately|nearly|almost|大约|约|左右|大概|近(?=\s?\d)",
    r"all|any|always|both|所有|全部|任何|总是|都(?!市)",
    r"some|sometimes|partly|few|several|many|most|部分|有些|有时|少数|多数|大多",
    r"or|或者?|还是",
    r"rather than|instead of|而非|而不是",
    r"too|太|过于",
    r"because|since|therefore|hence|so|due to|因为|因此|所以|由于|故(?!障)",
    r"before|之前", r"after|之后", r"half|一半", r"twice|double[sd]?|doubling|翻倍", r"third", r"quarter", r"triple[sd]?",
    r"two", r"three", r"four", r"five", r"six", r"seven", r"eight", r"nine", r"ten", r"dozen", r"hundreds?", r"thousands?", r"millions?",
    r"billions?", r"trillions?", r"two-thirds?", r"二", r"两", r"三", r"四", r"五", r"六", r"七", r"八", r"九", r"十", r"百", r"千",
    r"万", r"亿", r"半", r"倍", r"最", r"比", r"更",
)  # fmt: skip

# An answer that means the reverse under another question.
POLAR = re.compile(r"(?:yes|no|not|neither|both|rarely|usually|it depends)(?![a-z])|[不是否能会对没都可要]", re.IGNORECASE)

# Such an answer and nothing else.
BARE = re.compile(
    r"\W*(?:yes|no|not yet|neither|both|rarely|hardly|seldom|usually(?: not)?|twice no)\.\s*"
    r"|(?:两个|都|基本|一般|还)*(?:不|没|无|是|能|会|有|可以|必须|要|需|对|很少)[^,，;；:：]{0,4}。\s*",
    re.IGNORECASE,
)

# How an item of advice begins that names a measure, by the field of a request that shows it to be taken.
TRIED = {
    "recompute": re.compile(r"(?:gradient|activation) checkpointing|梯度检查点", re.IGNORECASE),
    "micro_batch": re.compile(r"micro-?batch(?: size)? 1|微批", re.IGNORECASE),
    "workload": re.compile(r"(?:q?lora|,| or )+ instead of full|全参微调改为", re.IGNORECASE),
}

# What is said of a card that is asked about as such: "specs of", "tell me about", "which is better".
PLAINLY = (
    "spec specs specification specifications info information detail details datasheet card gpu gpus tell about versus vs better best"
    " compare compared comparison difference differ changed changes improved actually really inference training 参数 规格 配置 介绍 显卡 怎么样 对比 比较 区别 差别 哪个好 性能"
    " like all everything please instead 换 换成 show full sheet 全部 所有 资料 详细 推理 训练 加速卡 到底 究竟 改 变 升级 提升 改进 方面"
)

# Of a short question behind another: whether it does.
TAIL = (
    "ok okay fine enough sufficient good work works right possible sensible 行 行吗 行不行 够 够吗 够不够 够用 可以吗 能行 好使"
)

# What stands behind a name that a sentence defines.
DEFINING = re.compile(
    r"s?\s*(?:[（(][^）)]*[）)])?\s*(?:(?:is|are|means?|stands?|lets?|keeps?|cuts?|stores?|splits?|divides?|gives?|holds?|makes?|puts?|adds?"
    r"|shrinks?|leaves|computes?|processes|counts?|corrects?|looks for|scales)(?![a-z])|[，,]?\s*(?:是|指|让|把|将|用|给|找出|保存|即|也叫)|：|:|=)"
)

USUAL_TRAINER = "transformers"  # what trains where no library is named: most others call it
SHARDING = frozenset({"deepspeed", "fsdp", "accelerate", "torchrun"})  # libraries that only shard what another one trains
