"""Question sets load, and the ones of ours are well made."""

import collections
import json

import pytest

from eval.cases import SETS, SetFault, find_set, load

NAMES = sorted(p.parent.name for p in SETS.glob("*/dev.jsonl"))
GOOD = {"id": "a-1", "category": "x", "language": "en", "question": "How much?", "expect": [{"kind": "answered"}]}


def write(tmp_path, *cases):
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(c if isinstance(c, str) else json.dumps(c) for c in cases))
    return path


def test_the_sets_of_ours_are_there():
    assert NAMES == ["advice", "crosslingual", "lookup", "refusal", "sizing"]


@pytest.mark.parametrize("name", NAMES)
def test_a_set_loads_has_a_card_and_is_balanced_between_the_languages(name):
    cases = load(find_set(name)).cases
    count = collections.Counter("en" if c.language == "en" else "zh" for c in cases)
    assert abs(count["en"] - count["zh"]) <= 0.1 * len(cases)
    assert all(c.basis for c in cases)
    assert (SETS / name / "README.md").is_file()


def test_ids_and_questions_are_unique_over_all_sets():
    cases = [c for name in NAMES for c in load(find_set(name)).cases]
    assert len({c.id for c in cases}) == len(cases)
    assert len({c.question for c in cases}) == len(cases)


def test_the_sets_are_as_large_as_their_cards_say():
    size = {name: len(load(find_set(name)).cases) for name in NAMES}
    readme = (SETS.parent / "README.md").read_text(encoding="utf-8")
    assert all(f"[{name}](sets/{name}/README.md)" in readme and f"| {n} |" in readme for name, n in size.items())


def test_a_pair_asks_the_same_in_both_languages():
    pairs = collections.defaultdict(list)
    for case in load(find_set("crosslingual")).cases:
        pairs[case.pair].append(case)
    for zh, en in pairs.values():
        assert (zh.language, en.language) == ("zh", "en")
        assert [e for e in zh.expect if e["kind"] != "language"] == [e for e in en.expect if e["kind"] != "language"]


def test_every_case_of_a_table_names_a_cell_that_holds_the_value(specs_folder):
    import tomllib

    for name in ("lookup", "crosslingual"):
        for case in load(find_set(name)).cases:
            value = next((e["value"] for e in case.expect if e["kind"] == "value" and "value" in e), None)
            for cell in (e for e in case.expect if e["kind"] == "cell"):
                row = tomllib.loads((specs_folder / cell["table"] / f"{cell['row']}.toml").read_text(encoding="utf-8"))
                held = str(row[cell["column"]])
                assert held == "unsupported" if value is None else float(held.split()[0]) == value, case.id


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("{", "no JSON"),
        ({**GOOD, "expect": []}, "no expect"),
        ({**GOOD, "language": "fr"}, "language must be"),
        ({**GOOD, "expect": [{"kind": "guess"}]}, "unknown expectation guess"),
        ({**GOOD, "expect": [{"kind": "value", "name": "weights"}]}, "value needs unit"),
        (
            {**GOOD, "expect": [{"kind": "value", "name": "w", "unit": "GB", "value": 1, "low": 0}]},
            "either value or low and high",
        ),
        ({**GOOD, "expect": [{"kind": "answered", "now": True}]}, "answered knows no now"),
        ({**GOOD, "note": "x"}, "unknown field note"),
    ],
)
def test_a_broken_line_is_named_with_its_fault(tmp_path, broken, said):
    with pytest.raises(SetFault) as raised:
        load(write(tmp_path, GOOD, broken))
    assert said in str(raised.value) and "line 2" in str(raised.value)


def test_all_faults_are_reported_at_once(tmp_path):
    with pytest.raises(SetFault) as raised:
        load(write(tmp_path, GOOD, GOOD, {**GOOD, "id": "b", "note": 1}))
    assert len(raised.value.faults) == 2


def test_an_unknown_set_says_which_there_are():
    with pytest.raises(SetFault, match="crosslingual, lookup"):
        find_set("nothing")
