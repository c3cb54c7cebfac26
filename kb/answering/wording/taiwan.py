"""Words of the field that Taiwan says differently, beside its characters: a word as the conversion leaves it, and as it is said."""

from __future__ import annotations

import re

SAID = dict(
    pair.split("=")
    for pair in [
        "顯存帶寬=記憶體頻寬",
        "顯存=顯示記憶體",
        "內存帶寬=記憶體頻寬",
        "內存=記憶體",
        "爆顯存=記憶體不足",
        "帶寬=頻寬",
        "併發數=並行請求數",
        "併發=並行請求",
        "硬盤=硬碟",
        "機械盤=機械硬碟",
        "機械硬盤=機械硬碟",
        "固態硬盤=固態硬碟",
        "磁盤=磁碟",
        "網絡盤=網路磁碟",
        "系統盤=系統碟",
        "默認=預設",
        "網絡=網路",
        "字節=位元組",
        "字段=欄位",
        "字符=字元",
        "服務器=伺服器",
        "數據=資料",
        "支持=支援",
        "程序=程式",
        "進程=行程",
        "線程=執行緒",
        "軟件=軟體",
        "硬件=硬體",
        "芯片=晶片",
        "信息=資訊",
        "代碼=程式碼",
        "加載=載入",
        "緩存=快取",
        "集群=叢集",
        "交換機=交換器",
        "文件=檔案",
        "文檔=文件",
        "存儲=儲存",
        "質量=品質",
        "打印=列印",
        "視頻=影片",
        "用戶=使用者",
        "分佈式=分散式",
        "接口=介面",
        "主板=主機板",
        "操作系統=作業系統",
        "通信=通訊",
        "模塊=模組",
        "光模塊=光模組",
        "內核=核心",
        "總線=匯流排",
        "兼容=相容",
        "溢出=溢位",
        "異步=非同步",
        "隊列=佇列",
        "響應=回應",
        "調用=呼叫",
        "性能=效能",
        "驅動程序=驅動程式",
        "當前=目前",
        "顯卡=顯示卡",
        "推理=推論",
        "推理模型=推理模型",
        "合並=合併",
        "臺=台",
        "批處理=批次處理",
        "屏幕=螢幕",
    ]
)
WORD = re.compile("|".join(sorted(SAID, key=len, reverse=True)))


def said(text: str) -> str:
    """A text in the characters of Taiwan with its words of the field."""
    return WORD.sub(lambda m: SAID[m[0]], text)
