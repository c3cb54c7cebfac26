"""The command line: exit codes, JSON on stdout, errors that say what to do."""

import json
import re
from pathlib import Path

import pytest

from kb import cli
from kb.api import KnowledgeBase


@pytest.fixture(autouse=True)
def base(monkeypatch: pytest.MonkeyPatch, knowledge: KnowledgeBase) -> None:
    monkeypatch.setattr(cli, "_open", lambda args: knowledge)
    monkeypatch.setenv("LANG", "C")
    monkeypatch.delenv("LC_ALL", raising=False)


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_ask_prints_the_answer_and_its_sources(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "ask", "H20 的显存带宽是多少？")
    assert code == 0 and "4000 GB/s" in out and "[1]" in out


def test_ask_as_json_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "ask", "--json", "What is the NVLink bandwidth of the H800?")
    answer = json.loads(out)
    assert code == 0 and answer["kind"] == "spec"
    assert {"citations", "values", "understanding", "timings_ms", "index_version"} <= answer.keys()


def test_a_declined_question_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(capsys, "ask", "今天天气怎么样？")[0] == 1


def test_size_takes_every_field_of_a_request(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--workload", "inference", "--model", "llama3.1-8b", "--gpu", "h100-sxm5-80gb", "--gpu-count", "1"]
    code, out, _ = ran(capsys, "size", "--json", *arguments)
    result = json.loads(out)
    assert code == 0 and result["verdict"] == "fits"
    assert result["request"]["gpu_count"] == 1 and result["derivation"] and result["citations"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["size", "--model", "no-such-model", "--workload", "inference"], "model"),
        (["size", "--gpu-count", "0"], "gpu_count"),
        (["size", "--workload", "dance"], "workload"),
        (["plan", "--model", "llama3-8b", "--max-gpus", "0"], "max_gpus"),
        (["plan", "--model", "llama3-8b", "--gpus", "no-such-gpu"], "gpus"),
        (["specs", "no-such-table"], "accelerators"),
        (["specs", "accelerators", "no-such-row"], "no-such-row"),
        (["ask", " "], "empty"),
    ],
)
def test_bad_usage_exits_with_2_and_names_the_field(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    code, _, err = ran(capsys, *arguments)
    assert code == 2 and says in err


PLAN = ["plan", "--workload", "pretrain", "--model", "llama-3.1-8b", "--tokens", "1e11", "--gpus", "H100 SXM,a100-sxm4-80gb"]


def test_plan_prints_a_table_of_options_and_why_others_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(
        capsys, *PLAN, "--max-days", "10", "--prices", "h100-sxm5-80gb=2.5,a100-sxm4-80gb=1.2", "--currency", "EUR"
    )
    assert code == 0 and "H100 SXM5 80GB" in out and "A100 SXM4 80GB" in out
    assert "ranked by cost" in out and "EUR" in out and "takes longer than 10 days" in out


def test_plan_speaks_chinese(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    code, out, _ = ran(capsys, *PLAN, "--max-days", "10")
    assert code == 0 and "布局" in out and "超出 10 天的期限" in out


def test_plan_as_json_has_ranked_options(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, *PLAN, "--max-gpus", "64", "--json")
    result = json.loads(out)
    assert code == 0 and [o["rank"] for o in result["options"]] == list(range(1, len(result["options"]) + 1))
    assert result["rejected"] and {"reason", "count", "nearest"} <= result["rejected"][0].keys()


def test_a_plan_without_an_option_exits_with_1_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, *PLAN, "--max-gpus", "1")
    assert code == 1 and "does not fit into GPU memory" in out


def test_specs_shows_a_row_with_status_and_source(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "specs", "accelerators", "rtx-4090", "--json")
    cells = json.loads(out)["cells"]
    assert code == 0 and cells["memory_gb"]["value"] == 24
    link = cells["interconnect_gb_s"]
    assert (link["value"], link["unit"], link["status"]) == (None, "GB/s", "unsupported") and link["confidence"]
    disputed = cells["bf16_dense_tflops"]["disagreement"]
    assert disputed["taken"] == "165.2 TFLOP/s" and disputed["others"][0]["source"]["title"] and disputed["why"]["zh"]


def test_specs_are_listed_with_what_was_asked_and_compared_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "specs", "accelerators", "--where", "memory_gb>=0.14 TB", "--sort=-memory_bandwidth_gb_s")
    line = next(line for line in out.splitlines() if line.startswith("h200-sxm-141gb "))
    assert code == 0 and line.endswith("141 GB         4800 GB/s")
    code, out, _ = ran(capsys, "specs", "accelerators", "--ids", "h100-sxm5-80gb,l40s")
    assert code == 0 and re.search(r"^memory_gb +80 GB +48 GB$", out, re.M) and "fp4_dense_tflops" in out
    code, out, _ = ran(capsys, "specs", "accelerators", "l40s", "--csv")
    assert code == 0 and len(out.splitlines()) == 2 and ",L40S," in out


def test_batches_answer_line_by_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"id": "a", "text": "8卡H100"}\n{"id": "b", "text": "70B QLoRA"}\n', encoding="utf-8")
    code, out, _ = ran(capsys, "understand", "--batch", str(file))
    assert code == 0 and [json.loads(line)["id"] for line in out.splitlines()] == ["a", "b"]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_a_separator_inside_a_text_does_not_end_a_line_of_a_batch(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, separator: str
) -> None:
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps({"id": "a", "input": f"8卡{separator}H100"}, ensure_ascii=False) + "\r\n\r\n", encoding="utf-8")
    code, out, _ = ran(capsys, "clean", "--batch", str(file))
    assert code == 0 and [json.loads(line)["id"] for line in out.split("\n") if line] == ["a"]


def test_errors_follow_the_locale(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "没有表" in ran(capsys, "specs", "no-such-table")[2]


def test_config_says_where_each_value_came_from(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZEWRIGHT_PORT", "9000")
    settings = json.loads(ran(capsys, "config", "--json")[1])
    assert settings["port"] == {"value": 9000, "from": "environment"}
    assert settings["host"]["from"] == "default"


@pytest.mark.parametrize(("said", "hours"), [("48", 48), ("24h", 24), ("90m", 1.5), ("7d", 168)])
def test_retention_is_said_in_hours_minutes_or_days(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, said: str, hours: float
) -> None:
    monkeypatch.setenv("SIZEWRIGHT_RETENTION", said)
    assert json.loads(ran(capsys, "config", "--json")[1])["retention"]["value"] == hours


def test_an_unknown_setting_is_an_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZEWRIGHT_PROT", "9000")
    code, _, err = ran(capsys, "config")
    assert code == 2 and "prot" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["size", "--request", "no-such-file.json"], "no-such-file.json"),
        (["clean", "no-such-file.txt"], "no-such-file.txt"),
        (["ask", "--batch", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (["size"], "model"),
    ],
)
def test_what_cannot_be_read_or_computed_is_named(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    code, _, err = ran(capsys, *arguments)
    assert code == 2 and says in err


@pytest.mark.parametrize("line", ["{broken", '["a list"]', '{"id": "b"}'])
def test_a_faulty_line_of_a_batch_is_named_before_anything_is_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str
) -> None:
    file = tmp_path / "batch.jsonl"
    file.write_text(f'{{"id": "a", "text": "8卡H100"}}\n{line}\n', encoding="utf-8")
    code, out, err = ran(capsys, "understand", "--batch", str(file))
    assert code == 2 and out == "" and "batch.jsonl:2" in err


def test_models_and_gpus_may_be_named_as_people_do(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "size", "--json", "--workload", "inference", "--model", "Llama 3.1 8B", "--gpu", "H100")
    assert code == 0 and json.loads(out)["request"]["gpu"] == "h100-sxm5-80gb"
