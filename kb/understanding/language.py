"""The language of a question, by counting scripts: libraries that guess languages fail on short, mixed text."""

from __future__ import annotations

import re

from kb.types.question import Language

HAN = re.compile(r"[㐀-鿿]")
LATIN = re.compile(r"[A-Za-z]{2,}")
# Characters written so in Traditional text only, and the same in Simplified only, of those common in questions of the field.
TRADITIONAL = frozenset("請問顯記憶體麼為個訓練張塊這們對應該會嗎裡還現開關於與樣間較數據選擇題說機櫃電費價錢幾時長單雙擴網絡層參億萬頻寬優過進運載權檔記錄讓給買賣換產當從後來無線連總計劃議議邊點壓縮類預測試論實驗經驗處務專業標準導輸圖環節損壞報錯誤帶傳統術語規則構築戶轉遠離該兩顆夠跑嗎嗰啲係唔裝佔滿內溫風聲線寫繪歲錄檢視調啟動")  # fmt: skip
SIMPLIFIED = frozenset("请问显记忆体么为个训练张块这们对应该会吗里还现开关于与样间较数据选择题说机柜电费价钱几时长单双扩网络层参亿万频宽优过进运载权档录让给买卖换产当从后来无线连总计划议边点压缩类预测试论实验经验处务专业标准导输图环节损坏报错误带传统术语规则构筑户转远离该两颗够装满内温风声写绘岁检视调启动")  # fmt: skip


def language_of(text: str, fallback: Language = "en") -> Language:
    """zh when a fair part is Chinese, zh-Hant when its telling characters are Traditional, else en; `fallback` when nothing tells."""
    sample = text[:20_000]
    han = len(HAN.findall(sample))
    latin = len(LATIN.findall(sample))
    if not han:
        return "en" if latin >= 2 or (latin and fallback == "en") else fallback
    if latin > 4 * han:
        return "en"
    traditional = sum(ch in TRADITIONAL and ch not in SIMPLIFIED for ch in sample)
    simplified = sum(ch in SIMPLIFIED and ch not in TRADITIONAL for ch in sample)
    if traditional > simplified:
        return "zh-Hant"
    if not traditional and not simplified and fallback == "zh-Hant":
        return "zh-Hant"
    return "zh"
