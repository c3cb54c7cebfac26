"""The rules as they are listed outside."""

from kb.sizing.listing import rules_as_plain
from kb.sizing.rule import rules


def test_every_rule_is_listed_with_source_and_worked_example(assumptions) -> None:
    listed = {r["id"]: r for r in rules_as_plain(assumptions)}
    assert listed.keys() == {r.id for r in rules()}
    for rule in listed.values():
        assert rule["citation"]["url"].startswith("https://")
        assert rule["label"]["zh"] and rule["meaning"] and rule["example"]["text"]


def test_the_example_is_computed(assumptions) -> None:
    weights = next(r for r in rules_as_plain(assumptions) if r["id"] == "memory.weights")
    assert weights["example"]["text"] == "8.03e9 × 2 B = 14.96 GiB"
