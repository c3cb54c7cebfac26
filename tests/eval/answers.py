"""Hand-made answers and a knowledge base of a few facts, for the tests of the measures and the runner."""

from types import SimpleNamespace

from eval.cases import Case

TEXT = "卡甲的显存为 80 GB。[1]\n\n显存决定能放下多大的模型。[2]"
DOCUMENT = "第一句。显存决定能放下多大的模型。最后一句。"


def answer(**changes):
    """A sound answer in plain form; `changes` replace fields."""
    quote = "显存决定能放下多大的模型。"
    start = DOCUMENT.index(quote)
    cell = {"id": "s1", "kind": "spec", "title": "Data sheet", "url": "https://example.org"}
    article = {"id": "memory/zh", "kind": "article", "title": "显存", "url": "https://example.org/a"}
    sound = {
        "id": "ans_1",
        "question": "卡甲的显存？",
        "language": "zh",
        "conversation_id": "con_1",
        "kind": "spec",
        "text": TEXT,
        "citations": [
            {
                "n": 1,
                "source": cell,
                "locator": {"table": "accelerators", "row": "card-a", "column": "memory_gb"},
                "answer_spans": [{"start": 0, "end": 14}],
                "quote": "80 GB",
            },
            {
                "n": 2,
                "source": article,
                "locator": {"heading_path": [], "start": start, "end": start + len(quote)},
                "answer_spans": [{"start": 19, "end": 32}],
                "quote": quote,
            },
        ],
        "values": [{"name": "memory_gb", "value": 80, "unit": "GB", "text": "80 GB"}],
        "verdict": None,
        "understanding": {"slots": {}},
        "assumptions": [],
        "derivation": [],
        "confidence": 0.9,
    }
    return {**sound, **changes}


def declined(reason="out_of_scope"):
    said = {"reason": reason, "nearest": []}
    return answer(kind="declined", text="这个问题不在范围内。", citations=[], values=[], confidence=0.1, declined=said)


def case(*expect, question="卡甲的显存？", language="zh", **fields):
    return Case("c-1", "lookup", language, question, tuple(expect), **fields)


class FakeBase:
    """Answers by looking the question up; remembers what was asked in which conversation."""

    def __init__(self, answers):
        self._answers = answers
        self.versions = {"index": "i1", "corpus": "c1", "model": "m1"}
        self.asked = []

    def ask(self, question, *, conversation_id=None, language="auto"):
        self.asked.append((question, conversation_id))
        return self._answers[question]

    def source(self, id):
        return SimpleNamespace(text=DOCUMENT if id == "memory/zh" else "")

    @property
    def specs(self):
        cell = SimpleNamespace(value=80.0, unit="GB", quote="80 GB")
        row = SimpleNamespace(cells={"memory_gb": cell})
        return SimpleNamespace(row=lambda table, id: row if (table, id) == ("accelerators", "card-a") else None)
