"""The values that a clause asks for: computed figures by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kb.understanding.asks.columns import MEMORY
from kb.understanding.asks.formats import without_formats
from kb.understanding.asks.overrides import overridden

HOW = r"多少|多大|几|how (?:much|many|big|large)|what(?:'?s| is)?|which|多高|是多少"
_ACCUM = r"(?:grad(?:ient)?[ _-]?accum\w*(?:[ _-]steps?)?|accumulation steps|梯度累[积加](?:步数)?)"
ACCUMULATION = (  # asked for
    rf"(?:how many|what(?:'?s| is| should)?|多少|几步?)[^,。;?\d]{{0,20}}{_ACCUM}"
    rf"|{_ACCUM}[^,。;?\d]{{0,10}}(?:多少|几|怎么设|设成|\?|should)"
)
_MILLION = r"(?:每|一)\s?(?:一?百万|100 ?万|1m|m)\s?(?:个)?(?:tok(?:en)?s?|词元)"
PRICE_OF_TOKENS = (  # what is asked for
    rf"{_MILLION}\s?(?:的)?(?:生成)?(?:成本|价格|单价|费用|要|是)?(?:是|要)?(?:多少|几|哪|更|最|\?|$)"
    rf"|(?:成本|价格|单价|费用|多少钱|便宜|划算)[^,。;?]{{0,12}}{_MILLION}"
    r"|(?<![a-z])(?:costs?|prices?|cheap\w*|much|expensive|dollars?|\$)(?![a-z])[^,.;?]{0,40}"
    r"(?<![a-z])(?:per|for|/|an?) ?(?:1 ?|one |a )?(?:(?:million|m) (?:output |generated )?tok(?:en)?s?|mtok)(?![a-z])"
    r"|(?<![a-z])(?:per|/) ?(?:1 ?)?(?:million|m) tok(?:en)?s? (?:cost|price)"
)
WANTED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("time_to_first_token", r"ttft|首字|首(?:个)? ?token|time to first|first token|prefill (?:time"
            r"|latency)|预填充(?:时间|多久)"),
        ("decode_ceiling",
            r"(?:理论|上限|最多|最快|最好情况|(?<![a-z])(?:theoretical\w*|at (?:best|most)|upper (?:bound|limit)|ceiling|fastest"
            r"|best[ -](?:possible|case)|max(?:imum)?)(?![a-z]))[^,。;?]{0,40}"
            r"(?:(?<![a-z])(?:tok(?:en)?s?[ /](?:per|s|a )|t/s|tps|decod|speed)|解码|速度|(?<=秒)[^,。;?]{0,10}token|token/s)"
            r"|(?:解码|速度|(?<![a-z])(?:decod\w*|tok(?:en)?s?/s|speed)(?![a-z]))[^,。;?]{0,24}(?:理论|上限|最好情况|"
            r"(?<![a-z])(?:theor\w*|ceiling|at (?:most|best)|best[ -]case|upper (?:bound|limit))(?![a-z]))|每秒(?:理论)?最[多快高]"),
        ("decode_tokens_per_second",
            r"(?:多少|几个|几)(?:个)? ?(?:tokens?|tok|字)(?:/s|/秒|每秒)|(?:token|tok|字)s?[ ]?(?:/|per|每) ?(?:s"
            r"|秒)|每秒.{0,4}(?:几|多少)|一秒.{0,4}(?:几|多少)|(?<![a-z])(?:t/s|tok/s|tps)(?![a-z])|生成速度"
            r"|推理速度|(?<!nvlink)(?<!nvlink )(?:能)?有?多快|how fast(?! is (?:the )?nv-?link)"
            r"|(?<!link )(?<!nvlink )(?<!deep)(?<!memory )(?<!clock )(?<!训练)speed(?! up)|is it fast|快吗"
            r"|哪(?:个|张|款)(?:更)?快|which (?:is|one is) faster"
            r"|解码(?:速度|上限|吞吐|速率)|decod(?:e|ing) (?:speed|ceiling|limit|rate|throughput)"
            r"|(?<!训练)(?<!带宽)速度"),
        ("all_reduce_time", r"all-?reduce|同步梯度|梯度同步|sync(?:hroni[sz]e)?(?:ing)? (?:the )?grad|gradients? sync|每步同步"),
        ("all_gather_time", r"all-? ?gather"),
        ("reduce_scatter_time", r"reduce-? ?scatter"),
        ("all_to_all_time", r"all-? ?(?:to|2)-? ?all"),
        ("capacity", r"(?<![a-z])(?:nas|san|disk array)(?![a-z])|存储|硬盘|磁盘|空间|storage|(?<![a-z])disk"),
        ("transfer_bandwidth",
            r"(?:(?<![a-z])(?:what|which|how (?:fast|wide|much|big))(?![a-z])|多快|多大|什么|哪种|多少)[^。;?]{0,24}"
            r"(?:(?<![a-z])(?:links?|network|nics?|ethernet|bandwidth|connection|uplink|line)(?![a-z])|网络|网速|网卡|带宽|链路|专线|宽带)"),
        ("load_time",
            r"(?:加载|载入|(?<![a-z])load|读取|读).{0,40}(?:多久|多长时间|几秒|how long|time)"
            r"|how long[^;?]{0,32}(?:to load|to read|loading|reading)(?![a-z])|load 分别"
            r"|(?<![a-z])(?:load|read)(?:ing|s)?(?![a-z])[^;?]{0,80}(?:how long|how many (?:seconds|minutes|hours)|seconds\?|minutes\?)"
            r"|how long(?![^,.;?]*(?:writ|sav|train|tun|cop|transfer))[^,.;?]{0,24}(?:with|from|on|off) "
            r"(?:an? |the )?(?:\w+ ){0,2}(?:nvme|ssd|hdd|sata|hard disk|drive)(?![a-z])"),
        ("write_bandwidth", r"how fast[^,.;?]{0,24}(?:file ?system|storage|disks?|nfs|lustre|drives?)(?![a-z])"
            r"|(?:文件系统|存储|磁盘|硬盘|盘)(?:得|要|需要|至少)?(?:有)?多快|写(?:入)?(?:带宽|速度)|write (?:bandwidth|speed|throughput)"
            r"|(?:写|存储|盘|write|storage|disk)[^,。;?]{0,16}(?:多少|几|what|how many) ?(?:gb|mb)(?:/s|ps| per second)"),
        ("write_time", r"write[- ]time|time to write|写入时间|(?:写|保存|存).{0,16}(?:多久|多长时间|几秒|[几多]少?(?:分钟|小时)|how long)"
            r"|how long.{0,16}(?:to write"
            r"|to save|writing|saving)"),
        ("download_time", r"(?<![a-z])(?:transfer|send|copy|upload|mov)\w*[^;?]{0,48}(?:how long|time)"
            r"|how long[^;?]{0,24}to (?:transfer|send|copy|upload|move)"
            r"|(?:传输|传完|传送|拷贝|上传|传).{0,16}(?:多久|多长时间|几秒|几分钟)|(?:下载).{0,12}(?:多久|多长时间|几小时)"
            r"|how long[^;?]{0,24}(?:push|upload)ing|how long.{0,16}(?:to download"
            r"|downloading)|download time"),
        ("break_even",
            r"回本|打平|(?:多久|几年|几个月|多少天)[^,。;?]{0,6}(?:划得来|合算)"
            r"|break[- ]?even|划算|盈亏|(?:买|租).{0,10}(?:还是|or|vs).{0,6}(?:租|买)|when does buying win"
            r"|(?:买|自建|自购).{0,30}(?:还是|或者?|vs).{0,12}租|租.{0,30}(?:还是|或者?|vs).{0,12}(?:买|自建|自购)"
            r"|(?<![a-z])(?:buy|buying|own|owning|purchas\w+).{0,60}(?:beats?|cheaper|or|vs\.?|versus|instead of) .{0,12}rent"
            r"|(?<![a-z])rent(?:ing)?.{0,60}(?:or|vs\.?|versus|than) .{0,12}(?:buy|own)"
            r"|rent or buy|buy or rent|pa(?:ys?|id)[ -]?(?:for itself|off|back)|recoup|amorti[sz]e|收回(?:成本|投资)|值回|赚回"),
        ("cost_per_million_tokens", PRICE_OF_TOKENS),
        ("cost_per_useful_hour",
            r"(?:每个?|一个?|单位)有效(?:gpu ?|卡)?(?:小)?时|有效(?:卡时|(?:gpu ?)?小时)(?:的)?(?:成本|单价|价格|多少)"
            r"|(?:per|each|an?) (?:useful|effective|productive|busy|utili[sz]ed) (?:gpu[ -]?)?hour"
            r"|effective (?:hourly )?(?:cost|price|rate)"),
        ("energy", r"多少度(?!的?电价)|几度电|用电量|[用耗]电(?:量)?(?:是|要|有)?(?:多少|几)|kwh(?=.{0,8}(?:多少|\?|how))"
            r"|(?:多少|几) ?kwh"
            r"|how (?:many kwh|much (?:energy|electricity))|energy (?:use|usage|consumption)"),
        ("cost",
            r"多少钱|总价|租金|(?:价格|报价|售价)(?!敏感)|花费|费用|成本"
            r"|电费(?!\d|[一二三四五六七八九]毛)|(?:要|得)?花(?:多少|几)|(?:总|一)?共?(?:要"
            r"|得)?多少 ?(?:元|块|美元|美金|钱|人民币|台币|usd|rmb|cny|twd|eur)(?![a-z])"
            r"|how much (?:would|will|does|do) (?:it|that|this|i|we)? ?(?:cost|pay"
            r"|spend)|(?<![a-z])(?:total )?(?:cost|price|(?<!ram )(?<!memory )bill)s?(?![a-z])|(?<![a-z])how much is (?:an?|one)(?= )"
            r"|(?<![a-z])electricity (?:for|of)(?= (?:an? |my |the |one )?\d)|(?<![a-z])(?:in|on|for) (?:electricity|power bills?)(?![a-z])"
            r"|at \d{1,9}(?:\.\d{1,9})? each|what (?:do|would|will) (?:i|we) pay"
            r"|(?:per|an?|/|\$) ?(?:gpu|card)?[ -]?(?:hours?|hrs?|hr)(?: cost)?\s?\??$|合(?:到)?(?:每|一)?张?卡.{0,4}时"
            r"|\$ ?(?:/|per) ?(?:gpu|card)[ -]?(?:hours?|hrs?|h)(?![a-z])"),
        ("saving",
            r"(?:能|可以?|会)?(?:节?省|便宜)(?:下|了|出)?(?:来)?(?:多少|几)"
            r"|(?<![a-z])(?:how much|what)[^,.;?]{0,40}(?<![a-z])sav(?:e|ed|ing|ings)(?![a-z])|(?<![a-z])savings(?![a-z])"),
        ("server_count",
            r"[放塞装](?:得下)?(?:几|多少)台|(?:几|多少)台(?!机器部署)(?:.{0,4}(?:服务器|机柜|rack))?(?=.{0,80}(?:rack"
            r"|机柜|柜|kw))|能放(?:几|多少)(?=台|个)"
            r"|how many (?:of (?:them|those|these) )?(?:fit|(?:can|could) (?:i|we|you) (?:put|fit|run))(?=.{0,40}(?:rack|kw|cabinet))"
            r"|how many (?:servers|boxes|nodes|dgx\w*|\ue001+s?) (?:fit|can|per rack|in (?:a|the|one) rack)"
            r"|how many [^,.;?]{0,32}(?:servers|boxes|nodes|machines|systems) (?:fit|can|could|will|would|per|in(?:to)?)"
            r"(?![a-z])(?=[^;?]{0,60}(?:rack|kw|cabinet))"),
        ("nodes", r"(?:几|多少)(?:台|个?节点|机)(?!.{0,8}(?:rack|柜|交换机|switch))"
            r"|how many (?:\d{1,2}[ -]?(?:x )?(?:gpus?|cards?)[ -])?(?:nodes|servers|machines|boxes)"
            r"|how many [dh]gx"
            r"|how many (?:\d{1,2} ?(?:[x×*]|-(?:gpu|card)?) ?)?[a-z]{0,3}\d[a-z0-9]{0,10}[ -](?:nodes|servers|machines|boxes)"),
        ("gpu_count",
            r"(?<![这那])(?<!出来)(?<!剩下)(?<![买弄收淘]了)(?<!这么)(?:几|多少)\s?(?:张|块(?!钱)|卡(?!时|小时)|个gpu|片)(?!显存)|(?:得|要|需|凑|用)几卡"
            r"|how many (?:\d{1,3} ?gb? )?(?:gpus?(?![- ]hours?)|cards?|\ue000+(?!\ue000|s?[- ](?:gpu[- ])?hours?)|accelerators)"
            r"|(?:\ue000+s?|gpus?|cards?) count(?![a-z])(?! ?(?:[:=]|is|are|of \d|per))"
            r"|(?:(?:count|number|#|no\.) of|fewest) (?:the )?(?:\ue000+|gpus?(?![a-z])|cards?(?![a-z]))"
            r"|(?:min(?:imum)?|number of|card) (?:cards?|gpus?"
            r"|count)|cards? count(?! ?[:=])|\bcount\?|what should i rent|gpu count(?! ?[:=])|最少几"
            r"|how many (?![^,.?]{0,24}switch).{0,20}(?:do i need"
            r"|needed|required)|几台8卡"),
        ("pipeline_bubble", r"气泡|空泡|(?<![a-z])bubbles?(?![a-z])"),
        ("gradient_accumulation", ACCUMULATION),
        ("dp_size",
            r"what(?:'?s)? (?:is |the |would )?dp|(?<![a-z])dp must|(?<!pp )(?<!pp/)(?<!pp, )(?<!pp,)(?<![a-z])dp\s?\?"
            r"|(?<![a-z])dp ?(?:是|为|等于)?(?:多少|几)"
            r"|data[- ]parallel (?:size|degree)"
            r"|数据并行度(?:是)?多少|dp (?:do i|will|should)"),
        ("mfu", r"(?:what(?! if)|多少|多大|算).{0,10}mfu|mfu ?(?:does|is|是多少|多少|有多|怎么算|如何算)|(?<!%)(?<!% )mfu ?\?|imply"),
        ("gpu_hours", r"(?:多少|几).{0,3}(?:卡时|gpu ?小时|gpu ?时|卡小时)"
            r"|(?:多少|几)\s?\ue000+\s?(?:的)?(?:卡时|gpu ?小?时)"
            r"|how many (?:gpu|\ue000+)s?[- ](?:gpu[- ])?hours|gpu[- ]hours (?:to|for|needed|required)|gpu[- ]hours\?|是多少卡时"),
        ("training_time",
            r"(?:训|跑|练|train).{0,24}(?:多久|几天|多长时间|几个?小时|多少天|几个月|几周)|多久|(?:几|多少)天(?!前|内)"
            r"|几个?小时(?!电)|多长时间|how long|how many (?:days|hours|weeks|months)|training time|(?:days"
            r"|hours)\?|(?<![a-z])eta\?|时间要多"),
        ("optimal_tokens", r"(?:optimal|最优)[^,。;?]{0,12}(?:tokens?|数据)|tokens?[^,。;?]{0,16}(?:optimal|最优)"
            r"|最优[^,。;?]{0,8}多少 ?token"),
        ("tokens_per_second_per_gpu",
            r"每卡.{0,4}(?:tokens?/s|吞吐|tok)|(?:tok|tokens)/s(?:ec)?/gpu|tokens? per second per gpu"
            r"|per[- ]gpu throughput"),
        ("tokens_per_second", r"训练(?:吞吐|速度)|training throughput|(?:what|how much)(?: kind of)? throughput"
            r"|throughput (?:can|will|should|would|do|does)(?![a-z])|what tok/s|tok/s am i|吞吐(?:量)?(?:是|有)?多少"
            r"|吞吐(?:量)?(?=[^,，。?]{0,4}(?:能|可以|会)(?:有|到|达到|跑到?)?(?:多少|多大|几)|\s*[?。]?\s*$)|(?:总|合计|整体)吞吐"
            r"|(?<![a-z])(?:total|aggregate|overall|combined) throughput(?![a-z])|throughput (?:at|with|for) \d|throughput\s*\??\s*$"
            r"|(?:总|的)?吞吐(?:量)?\s?(?:呢|如何|怎么?样|咋样)|^\W*(?:(?:and|what about|how about|the|its)[ ,]+)*throughput\W*$"),
        ("trainable_parameters",
            r"(?:可训练|训练的?|adapter|lora) ?的? ?(?:参数量?|参数数量)|(?:trainable|trained|adapter|lora) (?:param\w*|weights count)"),
        ("adapter",
            r"adapter.{0,12}(?:size|file|多大|大小|(?<![a-z])[mg]i?b(?![a-z]))|lora (?:权重|文件|adapter).{0,6}(?:多大|大小|size|多少)"
            r"|适配器[^,，。;?]{0,16}(?:多大|大小|多少 ?[mg]b?(?![a-z])|几 ?[mg]b?(?![a-z])|占多少)|多大[^,，。;?]{0,6}适配器"
            r"|(?:(?<![a-z])(?:how (?:big|large|many [mg]b)|size of)(?![a-z])|多大)[^,.;?]{0,40}(?<![a-z])adapters?(?![a-z])"),
        ("checkpoint_size",
            r"(?:(?<!gradient )(?<!activation )(?<!grad )checkpoint(?!ing)|(?<!开)(?<!grad )ckpt(?!开)|(?<!梯度)(?<!激活)检查点|存档)"
            r".{0,16}(?:多大|多少|几(?:个)?[tg]|size|how (?:big|large))|(?:size"
            r"|how (?:big|large)).{0,32}(?:checkpoint(?!ing)|ckpt)|要几t|(?:存|保存|留)\s?\d{1,9}\s?个|checkpoint size"
            r"|几(?:个)?t(?![a-z])"),
        ("dataset_size",
            r"(?:disk|storage) (?:space )?(?:for|of) .{0,24}tokens|(?:数据集|语料|tokens?).{0,30}(?:占|多大"
            r"|多少(?:g|t|硬盘|空间|磁盘))|dataset size|how (?:big"
            r"|large) is .{0,10}(?:dataset|corpus)"),
        ("storage",
            r"(?:硬盘|磁盘|存储|nvme|ssd|disk|storage).{0,8}(?:多大|多少|要|需|how much|配)|(?:多大|多少"
            r"|how much).{0,6}(?:硬盘|磁盘|存储|disk|storage|ssd)"),
        ("host_ram",
            r"(?:要|需要|得|配|多大|多少|几|how much|cpu|need).{0,6}(?:(?<!显示)(?<!显)内存|主存|system (?:ram"
            r"|memory)|host (?:ram|memory)|cpu memory)|(?:(?<!显示)(?<!统一)内存|主存).{0,6}(?:要|需|多大|多少|够"
            r"|配|怎么)|(?<!gpu )(?<!v)(?<![a-z])ram(?![a-z]).{0,12}(?:enough|need|do i|fine|required)"
            r"|(?<!v)(?<![a-z])ram (?:bill|budget|requirements?|for (?:cpu |zero[- ]?)?offload)"
            r"|offload[^?.;。]{0,40}(?<![a-z])ram\s*\??\s*$"
            r"|how much (?:system |host |cpu )?ram|(?:system|host|cpu) (?:ram|memory)|\d{1,9} ?[gt]b? of ram"),
        ("kv_cache_per_token", r"(?:每个?|per) ?token.{0,8}(?:kv|缓存)|kv.{0,12}(?:per token|每个? ?token)"),
        ("max_concurrency",
            r"(?:max(?:imum)?|largest|biggest|最大|最多)[^,。;?]{0,6}(?:batch|批)|(?:最多|最大|能|支持|撑).{0,8}(?:并发"
            r"|多少(?:人|用户|路)|几个人)"
            r"|max(?:imum)? concurren|how many (?:users"
            r"|concurrent|requests|people)"),
        ("kv_cache_tokens",
            r"kv[^,;?。]{0,12}(?<!per )tokens? .{0,12}(?:left|fit|room|remain)|how many kv tokens"
            r"|kv[^,?。]{0,10}(?:多少|几)[个万]*的? ?tokens?|(?:多少|几)[个万]*的? ?tokens?[^,?。]{0,4}kv"),
        ("max_context_len",
            r"(?:上下文|context)(?:长度)?.{0,4}(?:能|可以|最多|can|could).{0,6}(?:开|到|跑|支持|拉|go|be"
            r"|fit).{0,4}(?:多少|多长|多大|几)|(?:最长|最大|最多|能开|能跑|还能).{0,10}(?:上下文|多长"
            r"|context|tokens?|长度)|how much context .{0,24}(?:left|remain|room|fit|spare)|(?:还)?(?:剩|余|留)(?:下)?多少(?:的)?上下文"
            r"|上下文还?(?:剩|余)(?:下)?多少|how (?:long|many) .{0,14}(?:context|tokens?).{0,14}(?:fit|left|room|can)"
            r"|(?:max(?:imum)?|longest|largest|biggest) (?:possible |usable )?context"
            r"|how many tokens(?! ?/|(?: per| an?| each) (?:s(?:ec(?:ond)?)?|minute|hour|day)(?![a-z]))"
            r"|how much context(?! (?:do|does|should|is))"
            r"|max[-_ ]model[-_ ]len\w*(?! ?[=:]? ?\d)[^,，。;?]{0,8}(?:最大|最多|能设|可以设|设多少|多少)"
            r"|(?:what|which|largest|maximum) (?:value (?:of|for) )?(?:-{0,2})max[-_ ]model[-_ ]len"),
        ("kv_cache", r"(?<![a-z])kv(?:[ _-]?cache|缓存)?(?![a-z_-])(?!.{0,4}(?:heads?|头))|键值缓存|key-value cache"),
        ("activations", r"激活(?:值|显存)(?!检查)|activation(?:s)? (?:memory|mem|size)|activation memory|中间激活"
            r"|(?:训练)?激活(?=[^函函数参层检?。]{0,3}(?:多大|占|七十|\d+(?!\.?\d*\s?[bt亿]))|[,， ]{0,2}(?:seq|序列|长度|bsz?|批|batch))"
            r"|(?<![a-z])activations(?=(?: (?:at|with|for|of|,))?,? (?:seq|sequence|batch|bsz?|length)(?![a-z]))"),
        ("model_states",
            r"模型状态|model states?|怎么算(?:的|出来)|how (?:is|was) (?:it|that) calculated"
            r"|参数.{0,2}梯度.{0,2}优化器|weights?.{0,3}grad.{0,6}optim"),
        ("optimizer_states", r"优化器(?:状态)?.{0,6}(?:占|多少|多大)|optimizer states?(?! shard)"),
        ("weights",
            r"how (?:many|much) (?:gb|gib|gigs|memory|vram|space)[^,;?]{0,16}weights|"
            r"(?:how (?:big|large)|size of|多大的?)[^,。;?]{0,24}(?<![a-z])(?:file|gguf|download)(?![a-z])"
            r"|下载(?:下来|完|后)?(?:有|是|要)?(?:多大|几个?g|多少 ?g)|gguf[^,，。?]{0,14}(?:多大|几个?g|多少 ?g)"
            r"|(?:模型)?文件(?:大小|(?:有)?多大)|(?:safetensors|gguf)(?:文件|格式)?的?(?:有|是|得)?(?:多大|大小|几个?g|多少 ?g)"
            r"|(?<![a-z])(?:how (?:big|large)|size of)(?![a-z])[^,.;?]{0,40}(?<![a-z])safetensors"
            r"|(?<![a-z])(?:file|gguf) size|(?:权重|weights?).{0,8}(?:占|多少|多大|大小|size|memory|gb|how (?:big|much"
            r"|large))|(?:权重文件"
            r"|权重档|weights? file).{0,6}(?:多大|size)|(?:how (?:big|much|large)|size of).{0,14}weights?"
            r"|weights? size"),
        ("memory_per_gpu",
            rf"(?:每(?:张)?卡(?!每?个?小?时)|每张(?!卡)|单卡|per (?:gpu|card)|each (?:gpu|card)|gpu each).{{0,12}}(?:占|呢|{HOW})"
            rf"|(?:gb|memory|vram|g)(?: per |\s?/\s?)(?:gpu|card)|每卡呢|per[- ]gpu (?:memory|vram)|(?:多少|几)g?每卡"),
        ("network_bandwidth",
            r"(?<![a-z])(?:nic|network|ethernet|infiniband) speeds?(?![a-z])|网卡(?:速率|速度|带宽)"
            r"|bandwidth (?:between|across) (?:the )?(?:nodes|servers|machines)"
            r"|(?:网络|网卡|link|network|互联|机间).{0,10}(?:要|需|多少|多大|need|speed)|what link speed"
            r"|(?:什么|哪种|哪样|怎样的?|多快的?|多大的?)(?:样的)?(?:网络|网卡|互联|组网)"
            r"|what (?:kind of |sort of )?(?:network|interconnect)|which (?:network|interconnect)"
            r"|(?:what|how much) (?:network )?bandwidth (?:between|across|do i need|is needed)"
            r"|(?:多少|几) ?g(?:b|bps)?\s?(?:的)?\s?(?:网卡|网络|ib|以太网|nic)|网卡.{0,6}多少 ?g|(?:what|which"
            r"|how fast an?) (?:speed )?(?:nics?|network adapters?)"),
        ("pcie_lanes", r"pcie lanes?|pcie ?通道|(?:x(?:16|8|4)|[张块]卡|gpus?)(?![^?。]{0,16}内存)[^?。]{0,16}(?:通道|lanes)"
            r"|(?<![a-z])lanes[^?。]{0,16}(?:gpus?|cards?|nvme)"),
        ("max_parameters",
            r"多大的?模型|多少b的?模型|最大(?:能|可以)?跑"
            r"|(?:能|可以?)(?:跑|用|放|部署|带)(?:得动|得了|动|下)?(?:些)?(?:什么|哪些|哪种|啥)(?:样的?)?(?:大|语言)?模型"
            r"|(?:what|which) (?:llms?|models?) (?:can|could|will|would|fits?|runs?)(?![a-z])"
            r"|how (?:big|large) (?:of )?an? [^,;?]{0,24}(?:model|llm)"
            r"|what size (?:of )?model|(?:biggest|largest) (?:[a-z]{1,8} )?(?:model|llm|q?lora|fine-?tune)(?![a-z])"
            r"|(?:能|可以?|够)(?:跑|部署|运行|推理|带)(?:得?动|得了|起来?)?(?:些|个)?(?:什么|哪些|啥)(?=[?。!,]|$)"
            r"|(?<![a-z])(?:what|which) (?:(?:models?|llms?) )?(?:can|could|will) (?:[^,;?]{1,32} )?"
            r"(?:run|serve|host|handle)(?! an? )(?![a-z])"),
        ("cpu_cores", r"(?:多少|几)(?:个)?(?:cpu)?核|cpu ?核(?:心)?数|how many (?:cpu )?cores"),
        ("checkpoint_interval",
            r"多久(?:存|保存)一次|(?:checkpoint|检查点)(?:间隔|频率)|how often .{0,16}(?:checkpoint|save)"
            r"|checkpoint interval|how often(?: to save)?\s*\??\s*$"),
        ("ups", r"(?<![a-z-])ups(?![a-z])(?! and downs)|不间断电源"),
        ("psu", r"(?:多大|多少瓦|几瓦|什么)(?:功率)?(?:的)?电源|(?:what|which|how big an?) (?:size )?(?:psu"
            r"|power supply)|电源.{0,8}(?:多大|多少瓦|够|行|配|几瓦|带|撑|供)|(?:psu|power supply)(?: size| wattage)?"),
        ("layout",
            r"(?<![a-z])tp ?[/, 、] ?pp ?[/, 、] ?dp(?![a-z])(?! ?[=:\d])"
            r"|(?:tp|pp|dp|ep|cp|并行(?:策略|方案|度|方式)?|张量并行|流水线并行|parallel\w*|layout|zero)[^,。;?]{0,24}(?:怎么"
            r"|如何|咋)(?:切|分|配|设|选|安排|组合)"
            r"|(?:怎么|如何|咋|该怎样?)(?:切|分|配|设|选)[^,。;?]{0,12}(?:tp|pp|dp|并行)"
            r"|(?:怎么|如何|咋|怎样)(?:去|来|做|搞|上|用)?(?:并行|切分|拆分|分片|切模型|拆模型|切|拆)(?:模型|训练)?(?:比较?好|合适|最好|最快|呢|啊)?\s*[?。]?\s*$"
            r"|(?<![a-z])(?:best|optimal|good|right|recommended|what|which) (?:tp|pp|dp|parallel\w*|layout|split|tensor|3d)[^.;?]{0,40}"
            r"(?:split|layout|config\w*|strategy|setup|degrees?|sizes?|combination|should|use|for|/)"
            r"|zero[- ]?3[^。;?]{0,16}(?:(?<![a-z])(?:or|vs|versus)(?![a-z])|还是)[^。;?]{0,12}(?:3d|tp|pp|tensor|pipeline|张量|流水)"
            r"|(?:3d|tp|pp)[^。;?]{0,16}(?:(?<![a-z])(?:or|vs|versus)(?![a-z])|还是)[^。;?]{0,12}zero"
            r"|how (?:should|do|would|to) (?:i |we |you )?(?:split|shard|parallelize|lay out)"),
        ("hardware",
            r"(?:买|配|选|用|搭|上)(?:个|一?套|一?台)?(?:什么|啥|哪种|怎样的?|什么样的?)(?:样的)?(?:配置|机器|硬件|服务器)"
            r"|(?:选|买|用|配|上|租|推荐|入手?|(?:最低|至少|起码|最少)需?要?)"
            r"(?:个|一下|一?张|几张)? ?(?:什么|哪种|哪款|哪个|哪张|啥)(?:样的)? ?(?:显卡|gpu|卡|加速卡)"
            r"|(?:什么|哪种|哪款|哪张|啥) ?(?:显卡|gpu|卡|加速卡) ?(?:比较|最|更)?(?:好|合适|划算|适合|推荐|性价比)"
            r"|(?<![a-z])(?:best|right|cheapest|smallest|minimum|recommended) (?:gpus?|cards?|accelerators?|hardware)(?![a-z])"
            r"|(?<![a-z])(?:which|what) (?:gpus?|cards?|accelerators?|hardware) (?:should|do|would|to|is|are|can|for|works?)"
            r"|(?<![a-z])(?:which|what) (?:servers?|machines?|workstations?) (?:should|would|to|do) "
            r"|(?<![a-z])what (?:hardware|gpus?|cards?)\s*\?"
            r"|recommend (?:me )?(?:an? )?(?:gpus?|cards?|accelerators?|hardware)"
            r"|(?<![a-z])what (?:(?:machines?|servers?|box(?:es)?|setup|workstation|kit|gear) )?"
            r"(?:should|do|would|must|can|could) (?:i|we|you|they) (?:need to )?(?:buy|get|rent|order|purchase)(?![a-z])"
            r"|(?<![a-z])what to (?:buy|rent|order|purchase)(?![a-z])"
            r"|该?(?:买|租|配|购置|采购)(?:点|些|个)?(?:什么|啥|哪(?:种|些))(?:好|合适|比较好|呢)?\s*(?:[?？。,，]|$)"
            r"|(?:硬件|机器|服务器|显卡|算力|设备)(?:应该?|要|该)?(?:如何|怎么|怎样|咋)(?:选型?|配置?|买|采购|租)|硬件选型"),
        ("power",
            r"(?:满载|整机|总|一共|合计).{0,8}(?:功耗|功率|多少瓦|几千瓦|几瓦|power)|多少(?:千)?瓦|几千瓦|power draw"
            r"|total power|sum of tdps?|how (?:much|many) (?:\w{1,12} )?(?:power|watts|kw(?!h))|(?:功耗|功率)(?:是|有|要)?(?:多少"
            r"|多大)|(?:多少|几) ?kw(?!h)|(?:watts?|power|kw) (?:of|for|in) (?:an? )?(?:rack|\d)"
            r"|(?:facility|it) power|what(?:'s| is) the power"),
        ("heat", r"(?<![a-z])btus?(?![a-z])|散热量|发热量|制冷量|冷吨|(?:散热|制冷|冷量|空调).{0,6}(?:多少|多大|几匹)"
            r"|(?:多大|多少|几匹).{0,4}(?:散热|制冷|空调)"
            r"|tons? of (?:cooling|ac|air)|(?:how much|what) (?:cooling|heat|air ?con\w*|ac)(?![a-z])|heat (?:output|load|dissipation)"
            r"|cooling (?:load|capacity|in (?:btu|tons))"),
        ("memory_total",
            r"how much (?:is )?(?:the |in )total(?! (?:cost|price|power|energy|time|bill))"
            r"|(?:estimat|calculat|comput)\w{1,4}.{0,16}(?<![a-z])(?:vram|memory)(?![a-z])|(?:估算|计算|估计|算算?).{0,8}显存|"
            rf"(?:{MEMORY}).{{0,10}}(?:多少|多大|要求|需要|要|够|几|最低|需求|占|requirement|need)|(?:多少|多大"
            rf"|几(?:个)?g|how (?:much|many)|起码|最少|至少|minimum|占|吃|需要|need"
            rf"|requirement).{{0,14}}(?:{MEMORY})|多少 ?g(?![a-z])|(?:占|吃|要|得|需要)多少(?!\s?(?:天|小时"
            rf"|时间|张|块|卡|台|钱|人|千?瓦|度|秒|核|条))|how much (?:to|for|does"
            rf"|do|would)|how many (?:gb|gigs?|gigabytes)|起码得多少|memory (?:requirement|need|footprint)|vram\?"
            rf"|(?:能)?降到多少|what should it need|what (?:does|do|would|will) .{1,60}(?<![a-z])(?:need"
            rf"|take|require)(?![a-z])(?! to be| me to)"
            r"|(?<![爆炸省够])(?:显存|vram|gpu memory|(?<!of )memory)\s?[?。]?\s*$"),
    )
)  # fmt: skip
# What a clause says that asks for nothing but the weights of a model: its name, a format, words between them.
OF_WEIGHTS = re.compile(
    r"\ue002[\ue002a-z\d.-]*|\ue003+|(?<![a-z\d])(?:[a-z][a-z.\d-]*?)?\d{1,4}(?:\.\d{1,2})?(?:x\d{1,3})?[bm](?![a-z])"
    r"|(?<![a-z])(?:in|at|as|of|for|the|an?|and|just|only|alone|raw|full|total|its?|model|how about|what about|format|precision"
    r"|size|gi?b|right|correct|true|is|are|takes?|about)(?![a-z])"
    r"|(?<![a-z\d.])\d{1,5}(?:\.\d{1,2})?\s?[gtm]i?b?(?![a-z])|[是为有约对吗吧么的呢模型纯光仅只裸原版完整格式精度大小]|\W"
)
WEIGHTS_FILE = re.compile(
    r"weights?[- ]only[^,;?]{0,32}(?:checkpoint(?!ing)|ckpt|file|save)"
    r"|(?:checkpoint|ckpt)[^,;?]{0,16}(?:weights?[- ]only|of (?:the )?weights)"
    r"|(?:只|仅)(?:存|保存|留|含|有|要)?(?:模型)?权重的?[^,，。;?]{0,16}(?:checkpoint|ckpt|检查点|存档|文件)"
    r"|(?:checkpoint|ckpt|检查点|存档)[^,，。;?]{0,6}(?:只|仅)(?:存|保存|留|含|有|要)?(?:模型)?权重"
)
OF_NAMES = frozenset(name for name, pattern in WANTED if "\\ue00" in pattern.pattern)  # whose patterns see where names stand
Echoes = tuple[tuple[str, ...], tuple[str, ...]]
# A value asked for by name silences others whose words merely stand in the same clause: (any of these, silences these), in this order.
ECHOES: tuple[Echoes, ...] = (
    (("gpu_count",), ("max_concurrency",)),
    (
        (
            "load_time", "write_time", "download_time", "all_reduce_time", "time_to_first_token", "break_even", "checkpoint_interval",
            "max_context_len",
        ),
        ("training_time",),
    ),
    (
        (
            "kv_cache", "weights", "model_states", "activations", "optimizer_states", "checkpoint_size", "adapter", "host_ram", "storage",
            "memory_per_gpu",
        ),
        ("memory_total",),
    ),
)  # fmt: skip
ECHOES_THEN: tuple[Echoes, ...] = (
    (("adapter",), ("weights", "checkpoint_size", "storage")),
    (("model_states",), ("optimizer_states", "weights", "gradients")),
    (("checkpoint_size",), ("optimizer_states", "weights", "storage", "model_states")),
    (("tokens_per_second_per_gpu",), ("decode_tokens_per_second", "memory_per_gpu", "tokens_per_second", "cost")),
    (("tokens_per_second",), ("decode_tokens_per_second",)),
    (("max_context_len",), ("kv_cache", "weights")),
    (("kv_cache_tokens",), ("max_context_len", "kv_cache", "kv_cache_per_token", "weights")),
    (("load_time",), ("weights", "memory_total", "storage")),
    (
        ("write_bandwidth",),
        ("storage", "memory_total", "decode_tokens_per_second", "training_time", "network_bandwidth", "cost"),
    ),
    (("checkpoint_interval",), ("write_time", "write_bandwidth")),
    (("dataset_size",), ("storage", "memory_total", "max_context_len")),
    (("write_time",), ("checkpoint_size", "memory_total")),
    (("download_time",), ("checkpoint_size", "weights")),
    (("max_parameters",), ("memory_total", "weights")),
    (("pcie_lanes",), ("cpu_cores",)),
    (("cost",), ("memory_total",)),
    (("cost_per_million_tokens",), ("cost", "decode_tokens_per_second", "memory_total", "training_time", "dataset_size")),
    (("saving",), ("cost", "break_even", "memory_total", "training_time", "gpu_hours")),
    (("cost_per_useful_hour",), ("cost", "training_time", "memory_total")),
    (("power",), ("memory_total",)),
    (("ups",), ("memory_total", "power", "psu", "training_time", "energy")),
    (("psu",), ("memory_total", "power")),
    (("pcie_lanes",), ("memory_total", "network_bandwidth", "storage")),
    (("gpu_hours",), ("memory_per_gpu",)),
    (("network_bandwidth",), ("memory_per_gpu", "memory_total", "decode_tokens_per_second")),
    (
        ("all_gather_time", "reduce_scatter_time", "all_to_all_time"),
        (
            "download_time",
            "decode_tokens_per_second",
            "network_bandwidth",
            "write_bandwidth",
            "training_time",
            "load_time",
            "memory_total",
        ),
    ),
    (("all_reduce_time",), ("download_time", "decode_tokens_per_second", "network_bandwidth", "write_bandwidth")),
    (("optimal_tokens",), ("memory_total", "max_context_len", "dataset_size")),
    (("kv_cache",), ("dataset_size",)),
    (("kv_cache_per_token",), ("kv_cache", "dataset_size")),
    (("decode_ceiling",), ("max_context_len", "max_concurrency")),
    (("time_to_first_token",), ("decode_tokens_per_second",)),  # a token's delay is no rate of them
    (("gpu_count", "nodes", "gpu_hours", "break_even", "mfu", "server_count", "dp_size"), ("memory_total",)),
    (("break_even", "gpu_count", "gpu_hours"), ("cost",)),
    (("gpu_hours", "break_even", "gpu_count"), ("training_time",)),
    (("server_count",), ("nodes", "power")),
)


def wanted_of(clause: str, masked: str) -> tuple[str, ...]:
    """Names of computed values a clause asks for, in the order of the table."""
    clause, masked = without_formats(clause), without_formats(masked)
    out = [name for name, pattern in WANTED if pattern.search(clause) or (name in OF_NAMES and pattern.search(masked))]
    out = _without_echoes(out, ECHOES)
    if not out and names_weights(masked):
        return ("weights",)
    if not out and WEIGHTS_FILE.search(clause):
        return ("checkpoint_size",)
    if {"training_time", "memory_total"} <= set(out) and not re.search(MEMORY, clause):
        out[out.index("memory_total")] = "cost"  # how long and how much
    return tuple(overridden(_without_echoes(out, ECHOES_THEN), clause))


def names_weights(masked: str) -> bool:
    """Whether a clause names the weights of a model, and nothing else of it: `Qwen2.5-7B weights in bf16?`"""
    return OF_WEIGHTS.sub("", masked) in ("weight", "weights", "权重")


def _without_echoes(wanted: Sequence[str], table: Iterable[Echoes]) -> list[str]:
    out = list(wanted)
    for named, echoes in table:
        if any(n in out for n in named):
            out = [n for n in out if n not in echoes]
    return out
