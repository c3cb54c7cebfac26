"""What stands around a numeral and tells its kind: phrases, as patterns over folded text."""

from __future__ import annotations

import re

MOE = re.compile(r"(?<![\d.a-z])(\d{1,3})\s?[x*]\s?(\d{1,3}(?:\.\d{1,2})?)b(?![a-z0-9])")
ACTIVE = re.compile(r"(?<![\d.a-z])(\d{1,4}(?:\.\d{1,2})?)b-a(\d{1,3}(?:\.\d{1,2})?)b(?![a-z0-9])")
NETWORK = re.compile(
    r"网卡|网口|网络|网(?!页|站|上)|以太|光模块|光纤|宽带|组网|交换机|(?<![a-z])(?:networks?|networking"
    r"|switch(?:es)?|ib|infiniband|ethernet|nics?"
    r"|roce|rdma|hdr|ndr|edr|xdr|lan|thunderbolt|links?)(?![a-z])"
)
# Behind a size that is the speed of a link: 100Gb ethernet, 25 gig network.
WIRED = re.compile(
    r"[ -]?(?:的)?(?:(?:ethernet|networks?|networking|nics?|infiniband|roce|lan|switch(?:es)?)(?![a-z])|以太网?|网[卡络口])"
    r"(?![^,，。;?]{0,6}\d)"
)
VRAM = re.compile(
    r"显存|显示记忆体|vram|(?<![a-z])hbm|gddr|gpu (?:ram|memory)|video memory|统一内存|统一记忆体|每卡|卡(?![时间])"
)
RAM = re.compile(
    r"(?<!显示)(?<!统一)(?:内存|记忆体)|主存|(?<![a-z])(?:(?:system |host |cpu )?ram|ddr\d?|system memory"
    r"|host memory)(?![a-z])"
)
DISK = re.compile(r"硬盘|固态|机械盘|存储|磁盘|(?<![a-z])(?:nvme|ssd|hdd|disk|storage|nfs)")
CACHE = re.compile(r"缓存(?!.{0,3}kv)|(?<!kv )(?<!kv)cache|(?<![a-z])l[12](?![a-z0-9])")
LENGTH_BEFORE = re.compile(
    r"(?:序列长度?|序列|长度|上下文长度|上下文|窗口|(?:max|seq|sequence|context|cutoff|input|prompt"
    r"|model)[ _-]?(?:seq[ _-]?)?(?:len(?:gths?)?)?|seq|ctx|context|cutoff|输入|最长只?到|拉到|@"
    r"|(?<![a-z])n_ctx)"
    r"(?:能?到|大小|size|是|为|用|开到?|设为?|拉到)?(?: (?:of|is|was|set to|up to|about|around)){0,2}\s{0,2}[:=]?\s{0,2}(?:到)?$"
)
# What makes so many millions those of a model: `124M gpt`, `pretrain 124M on 10B tokens`.
MODEL_AFTER = re.compile(
    r"[ -]?(?:个)?(?:参数|(?:大小)?(?:的)?(?:小|大|语言|预训练){0,2}模型"
    r"|params?|parameters?|model|\ue002|(?:nano-?)?(?:gpt|llms?|llama|transformer|bert|decoder)(?![a-z]))"
)
MODEL_BEFORE = re.compile(
    r"(?:(?<![a-z])(?:nano-?gpt|gpt-?2?|llama|bert|pre-?train(?:ing)?|train(?:ing)?)(?: an?| the)?|\ue002|预训练|训练?)[ ,]?$"
)
PERCENT = re.compile(r"\s?(?:%|per ?cent)")
GLUED = re.compile(r"(?<![a-z])(?:cut-?off|seq|ctx|context)(?:_?len(?:gth)?)?$")  # cutoff8192
LENGTH_AFTER = re.compile(
    r"\s{0,2}(?:的|tokens?|个?词元)?\s{0,2}(?:的)?(?:上下文|ctx|context|窗口|window|长度|序列|长文本|长的"
    r"|length|seq(?!s|uences)|sequence(?!s)|prompt|输入|input|cutoff|(?:的)?kv(?![a-z]))"
)
# Tokens of one request, among many: `16 requests of 12k tokens each`, 每个会话 2 万 token.
_ASKER = (
    r"(?:users?|requests?|sessions?|chats?|conversations?|prompts?|documents?|docs?|persons?|people|quer(?:y|ies)|streams?"
    r"|sequences?|devs?)"
)
EACH_AFTER = re.compile(
    rf"(?:\s?(?:of|in) [a-z]{{3,12}})?\s?,?\s?(?:(?:each|apiece)(?![a-z])|(?:per|/|a|for each|for every) ?{_ASKER}(?![a-z])"
    r"|[/每](?:个|条)?(?:请求|会话|用户|人|路|对话))"
)
EACH_BEFORE = re.compile(
    rf"(?:(?<![a-z])(?:each|every|per)(?: {_ASKER})?(?:,|:)?"
    r"(?: (?:has|have|with|of|is|at|takes?|uses?|gets?|up to|about|around|sends?)){0,2}"
    r"|每(?:个|路|名|位|份|次|人)(?:请求|会话|用户|并发|对话|人|文档|提示)?|每(?:请求|会话|用户|并发))(?:约|大约|大概|平均|最多|是|为|有|要|用)?\s?$"
)
OF_A_CORPUS = re.compile(
    r"[训炼]|微调|精调|样本|语料|轮|(?<![a-z])(?:train\w*|pre-?train\w*|fine-?tun\w*|tun(?:e|ed|ing)|sft|[qd]?lora|samples?|examples?|rows|epochs?)(?![a-z])"
)
OF_A_RUN = re.compile(r"(?<![a-z])(?:kv|ctx|context|prompt|ttft|input|activations?)(?![a-z])|上下文|首字|缓存|激活")
_DOWN_TO = (  # of a batch that was made smaller already
    r"(?:都|也|就|只|才|已经?|都已经?|已经都)?(?:是|为|开|有|用|设|压|降|调|减|改|缩)?(?:到|成|为|了)?"
    r"|(?: ?(?:of|is|was|at|to|just|only|already|down|reduced|lowered|set|even)){0,4}"
)
BATCH_BEFORE = re.compile(
    r"(?P<accum>梯度累[积加](?:步数)?|gradient[ _-]accumulation(?:[ _-]steps)?|grad[ _-]?accum|(?<![a-z])ga)[\s:=为设x]{0,4}$"
    r"|(?P<globe>(?:全局|总)(?:批(?:次|量|大小)?|bsz?)|global bsz?|global[ _-]?batch(?:[ _-]?size)?|(?<![a-z])gbs)(?:大小)?[\s:=为设]{0,4}$"
    r"|(?P<micro>micro[ _-]?batch(?:[ _-]?size)?|微批次?|mbs"
    r"|per[ _-]device(?:[ _-]train)?[ _-]batch(?:[ _-]size)?|(?<![a-z])bsz?)(?:大小)?\s?(?:" + _DOWN_TO + r")[\s:=为设]{0,4}$"
    r"|(?P<plain>batch(?:[ _-]?size)?|批次(?:大小)?|批大小|批量(?:大小)?|(?<![一二两几这那第\d])批)\s?(?:"
    + _DOWN_TO
    + r")[\s:=为]{0,3}$"
)
MONEY_BEFORE = re.compile(
    r"(?:预算|经费|资金|(?:导师|老板|公司|学校|领导|上面)(?:只|就)?(?:给|批|拨)了?|手[头里上](?:只|就)?有|报价|售价|价格|价钱|总价|成本|花了?|月租|租金|budget|quote[sd]?|price[ds]?|costs?"
    r"|买(?:下来?|入)?一?[张台块]?(?:\s?\ue000+)?|采购价?|购置|购入|入手|卖|只有|¥)\s?(?:只有|大概|大约|约|是|为|of|at|is|was|都?要)?\s{0,2}[:：]?\s{0,2}$"
)
SYMBOL = re.compile(r"((?:us|nt|hk)?[$]|[€¥£])\s?$")
PER_GPU_HOUR = re.compile(
    r"\s?(?:/|per |a |an |每)\s?(?:gpu|card|卡|张|\ue000+s?)\s?(?:[-·/ ]|per )?\s?(?:h(?:ou)?rs?|h|小时|时)(?![a-z])"
    r"|\s?(?:/|per |an? )\s?(?:h(?:ou)?rs?|h)\s?(?:,? ?(?:each|apiece|a ?piece)|[/ ]?(?:per|an?|/) ?(?:gpu|card))(?![a-z])"
)
PER_HOUR = re.compile(r"\s?(?:/|per |an? |每|一)\s?(?:h(?:ou)?rs?|h|个?小时|时|钟头)(?![a-z])")
TOKENS_A_DAY = re.compile(
    r"(?:每|一)[天日][^,，。;?\d]{0,8}$|(?<![a-z])(?:daily|a day|per day|each day|every day)[^,.;?\d]{0,12}$"
)
TOKENS_A_SECOND = re.compile(
    r"(?:每(?:秒钟?|(?P<minute>分钟))(?:才|只|就|约|大概|大约|至少|能|要|需要?|可以?)?(?:总共|一共)?(?:有|出|跑|到|输出|生成|产出|处理|解码|吐)?"
    r"|per second)\s?$"
)
PER_MONTH = re.compile(r"\s?(?:/|per |a |每|一)\s?(?:months?|mo|个?月)(?![a-z])")
PER_GB_MONTH = re.compile(
    r"\s?(?:/|per |a |每)\s?gb?\s?(?:[-·/]|per |a |每个?)?\s?(?:months?|mo|月)(?![a-z])"
    r"|\s?(?:/|per )\s?(?:months?|mo) (?:per |a |/ ?)gb(?![a-z])"
)
PER_YEAR = re.compile(r"\s?(?:/|per |a |each |every |每|一)\s?(?:years?|yr|annum|年)(?![a-z])")
PER_KWH = re.compile(r"\s?(?:/|per |a |每|一|1)\s?(?:kwh|kilowatt-?hours?|度|千瓦时)")
PER_DAY = re.compile(r"\s?(?:/|per |an? |each |every |每|一)\s?(?:days?|d|天|日)(?![a-z])")
PER_MILLION = re.compile(
    r"\s?(?:/|per |a |an |each |for (?:a |one |1 )?|每)\s?(?:(?:one |1 ?)?(?:million|mn?|mtok(?:en)?s?)|1e6|百万|一百万|100 ?万)"
    r"\s?(?:个)?(?:output |input )?(?:tok(?:en)?s?|词元)?(?![a-z])"
)
# A price that was said to be one, of what stands before it: `120000 GPU hours at 2 dollars`.
AT = re.compile(r"(?:(?<![a-z])(?:at|@)|按|单价|均价)\s?$")
PRICED_AT = re.compile(r"(?:(?<![a-z])(?:at|@|for|costs?|costing|paying|priced at|price of)|按|单价|均价)\s?$")
BEFORE_PER = re.compile(
    r"(?P<gb_month>每\s?gb?\s?每?个?月(?:的)?(?:价格|单价|费用)?(?:是|要|为)?|每个?月每\s?gb?(?:的)?(?:是|要|为)?)\s?$|"
    r"(?P<million_tokens>(?:每|一)\s?(?:一?百万|100 ?万|1m|m)\s?(?:个)?(?:tok(?:en)?s?|词元)?(?:的)?(?:价格)?(?:要|是|为|卖|收)?)\s?$"
    r"|(?P<day>(?:每|一)[天日](?:的)?(?:电费|用电|租金|费用|成本)?(?:要|是|为|约|大概)?)\s?$|"
    r"(?P<gpu_hour>每(?:张卡?|卡|块|张?\s?\ue000+)\s?每?个?(?:小时|卡时|时)|\ue000+\s?每(?:卡"
    r"|张)(?:每)?小时)(?:要|是|为)?\s?$|(?P<hour>(?:每|一)个?(?:小时"
    r"|钟头))(?:要|是)?\s?$|(?P<month>月租|(?:每个?月|一个月)(?:的)?(?:电费|租金|费用)?)(?:要|是)?\s?$|(?P<year>(?:每|一)年(?:的)?(?:电费|租金|费用|维保)?(?:要|是)?)\s?$|(?P<kwh>电价|电费|每度电?"
    r"|一度电?)(?:按|是|要|为)?\s?$"
)
ABOUT = re.compile(r"(?:约|大约|大概|差不多|about|around|roughly|approx\.?|~)\s?$")
AT_LEAST = re.compile(r"(?:不低于|不少于|至少|大于等于|(?<!不)超过|(?<!不)大于|起码|以上|at least|more than|over|>=|≥|>)\s?$")
AT_MOST = re.compile(
    r"(?:不超过|不高于|最多|(?<!不)小于|(?<!不)低于|(?<!不)少于|at most|less than|under|below|within|<=|≤|<)\s?$"
)
# A bound that is denied is the other one: no more than, 不低于.
_NO = (
    r"(?:(?:(?<![a-z])(?:no|not|never|cannot|without)|n['’]?t)(?: (?:be|go|draw|use|cost|have|need|take|weigh))?(?: (?:any|much))?"
    r"|不(?:要|能|可以?|得|会|许|该|应该?|准)?|别|未|勿|没有?)\s?"
)
NOT_MORE = re.compile(
    rf"{_NO}(?:(?:more|greater|higher|larger|bigger|longer) than|over|above|beyond|exceed(?:s|ing)?|>|超过?|超出|[大高多]于|长于)\s?$"
)
NOT_LESS = re.compile(rf"{_NO}(?:(?:less|fewer|lower|smaller|shorter) than|under|below|<|[低小少短]于)\s?$")
ABOVE = re.compile(r"\s?(?:以上|及以上|起步|起|or more|\+)")
BELOW = re.compile(r"\s?(?:以内|之内|以下|内(?!存)|or less)")
NOT_PARAMS = re.compile(r"\s?(?:岁|人(?!工)|元|美元|美金|块|人民币|用户|条|次|铅笔|欧元|日元|吨|公里|年|词|字|台|名|股)")
CURRENCY_AFTER = re.compile(
    r"\s?(元|块钱|块|人民币|美元|美金|刀|欧元|台币|新台币|港币|港元|rmb|usd|twd|ntd|hkd|gbp|eur|euros?|pounds?|dollars?)(?![a-z])"
)
SUPPLY = re.compile(r"(?:电源|(?<![a-z])(?:psu|power supply))(?:功率)?\s?(?:只有|是|为|用|买|选|of|is|at|=|:)?\s?$")
PHONE = re.compile(r"\s?(?:手机|信号|网|基站|套餐|时代|phone|signal)")
TIME_ONLY = re.compile(r"[ ]{0,2}-?(?P<ge>个)?(?P<half>半)?[ ]{0,2}(?P<tu>[Hh]ours?|[Hh]rs?|h)(?![A-Za-z0-9])(?P<after>半)?")
# What is learned from is told in tokens, unless a disk is spoken of.
CORPUS = re.compile(r"(?:数据(?:量|集)?|语料|corpus|dataset|data)\s?(?:是|为|有|约|大概|of|is|:|=)?\s?$")
# A period that is spoken of without a number: of a month, not once a month.
PERIOD = re.compile(
    r"(?<![a-z])(?<!once )(?<!twice )(?<!times )(?<!hours )(?<!hour )(?:(?:an?|per|each|every|the whole|an? (?:whole|full|entire)) )"
    r"(?:(?P<year>year)|(?P<month>month)|(?P<week>week))(?![a-z])"
    r"|(?P<year_>(?<![a-z])(?:yearly|annual(?:ly)?)(?![a-z])|全年|整年|每年|年(?=电费|用电|耗电))"
    r"|(?P<month_>(?<![a-z])monthly(?![a-z])|每个?月|整月|月(?=电费|用电|耗电))"
)
