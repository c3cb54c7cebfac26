"""Questions of the field that no table or paper can answer, or that should not be answered: the future, what others own, what is
the asker's own affair, how to misuse what is not one's own."""

from __future__ import annotations

import re

from kb.types.question import Refusal

OWNED = re.compile(
    r"(?<![a-z])(?:what|how much) (?:did|does|has|have) (?!i |we |you |it |this |that |the |my |our )[\w. ]{2,24}"
    r"(?<![a-z])(?:pay|paid|spend|spent|cost)(?![a-z])[^?]{0,24}(?:cluster|data ?cent|supercomputer)|"
    r"(?:内部|大厂|友商|竞争对手|对手|某(?:大)?(?:公司|厂)|他们(?:公司)?|别人|哪家公司"
    r"|[\u4e00-\u9fff]{1,6}(?:公司|集团|云)|(?<!我)(?<!我们)(?<!咱们)(?:手上|手里|手头))[^,，。?]{0,12}"
    r"(?:有|囤|屯|买|拥有|部署了|在用)[^,，。?]{0,8}(?:多少|几)\s?(?:万|千)?\s?(?:张|块|片|台"
    r"|个)?\s?(?:\ue000|gpu|显卡|卡|加速卡|服务器)"
    r"|how many (?:gpus?|cards|accelerators|tpus|servers|\ue000+s?) (?:does|do|did|has|have) (?!i |we |it "
    r"|a |an |the (?:job|model|run|question)|this |that |you |my |our \w+ (?:need|take))"
    r"[^.?]{0,40}(?<![a-z])(?:own|owns|have|has|possess|hoard|bought|buy|operate|run|secretly)(?![a-z])"
)
FUTURE = re.compile(
    r"(?<!\d)20(?:2[789]|[3-9]\d)(?!\d)\s?年?[^.。?]{0,24}(?:会|将|能卖|多少钱|价格|cost|price|卖)"
    r"|(?:什么时候|何时|啥时候|多久)[^,，。?]{0,8}(?:降价|跌价|涨价|跌|涨|便宜)|(?:会不会|还会不会|还会)(?:再)?(?:降价|跌价|涨价)"
    r"|(?<![a-z])when (?:will|do|does|are|is) [^.?]{0,40}(?:drop|fall|come down|go down|crash|rise|go up|(?:get|be) cheaper)(?![a-z])"
    r"|(?<![a-z])will [^.?]{0,40}(?:price|cost|get|be)[a-z]* [^.?]{0,20}(?:drop|fall|rise|come down|go (?:up|down)|cheaper)(?![a-z])"
    r"|(?:预测|预估|predict|forecast|will|会|将)[^.。?]{0,60}(?:价格|多少钱|卖|price|cost|sell for"
    r"|worth)[^.。?]{0,40}(?<!\d)20(?:2[789]|[3-9]\d)(?!\d)"
)
MISUSE = re.compile(
    r"(?:偷偷|悄悄|不被[^,，。?]{0,8}(?:发现|察觉)|瞒着|盗用|盗取|窃取|黑进|入侵|破解|绕过[^,，。?]{0,6}(?:许可|授权|出口"
    r"|管制|限制|验证|配额)|白嫖[^,，。?]{0,6}(?:别人|他人|公司|学校|邻居|账号|集群|密钥)|(?:别人|他人|公司|学校|邻居)[^,，。?]{0,10}白嫖|走私)"
    r"|(?<![a-z])(?:break into|hack(?:ing)? into|steal(?:ing)?|stolen|smuggl\w+|without (?:permission"
    r"|being (?:caught|noticed|detected)|getting caught|paying)"
    r"|crack (?:the|a) licen[cs]e|bypass(?:ing)? (?:the )?(?:licen[cs]e|export|authenti\w+))(?![a-z])"
)
OF_OTHERS = re.compile(
    r"挖矿|账号|帐号|账户|集群|服务器|gpu|显卡|密钥|密码|许可证|出口|模型权重|(?<![a-z])(?:mine|mining"
    r"|accounts?|clusters?|servers?|gpus?|keys?|passwords?|licen[cs]es?"
    r"|export|cards?|weights)(?![a-z])"
)
OWN_AFFAIR = re.compile(
    r"(?:我|我们|咱们)(?:的)?[^,，。?]{0,12}(?:ip ?(?:地址)?|密码|序列号|主机名|账号|机柜号|保修"
    r"|工位)[^,，。?]{0,6}(?:是(?:多少|什么)|多少|在哪|到?哪|到什么时候)"
    r"|(?:which|what|where)(?:'s| is| are)?[^.?]{0,16}(?:rack|ip|password|serial number|hostname|room"
    r"|seat)[^.?]{0,10}(?:is|are|of|does)? ?(?:my|our)(?! need)"
    r"|when (?:does|do|will|is) [^.?]{0,24}warrant[^.?]{0,24}(?<![a-z])(?:my|our|we)(?![a-z])"
    r"|(?:what|where)(?:'s| is| are) (?:my|our) [^.?]{0,16}(?:ip|password|serial number|hostname|rack)(?![a-z])"
)


def refusal_of(masked: str) -> Refusal | None:
    """Why a question is to be declined; None for one that may be answered."""
    text = masked[:4000]
    if MISUSE.search(text) and OF_OTHERS.search(text) and not OWNED.search(text):
        return "unsafe"
    if OWNED.search(text) or FUTURE.search(text):
        return "not_published"
    return "not_in_corpus" if OWN_AFFAIR.search(text) else None
