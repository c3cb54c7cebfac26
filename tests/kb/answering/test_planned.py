"""A plan as a table and as text."""

from kb.answering.sizing.planned import report, table
from kb.types.answer import Value
from kb.types.planning import Configuration, PlanOption, PlanResult, Rejection
from kb.types.sizing import GpuFigures, SizingRequest
from kb.types.specs import SpecBook

REQUEST = SizingRequest(
    workload="pretrain", gpu=GpuFigures(memory_gb=80), gpu_count=64, tensor_parallel=8, pipeline_parallel=2, context_parallel=1,
    zero_stage=1, recompute="selective", micro_batch=2,
)  # fmt: skip
VALUES = (
    Value("memory_per_gpu", 51.25, "GiB"),
    Value("memory_available_per_gpu", 71.6, "GiB"),
    Value("training_time", 12.5, "day", low=10, high=15),
    Value("gpu_hours", 19200, "h"),
    Value("mfu", 0.412, "1"),
)
OPTION = PlanOption(1, True, REQUEST, "fits_with_conditions", VALUES)
LEFT = Rejection("memory", "does not fit", 12345, Configuration(REQUEST, "does_not_fit", ()))
RESULT = PlanResult("cost", (OPTION,), (LEFT,), 20000, 7655, (), ("A warning.",))


def test_a_row_says_layout_memory_time_and_verdict() -> None:
    made = table(RESULT, "en", SpecBook())
    row = dict(zip(made.columns, made.rows[0], strict=True))
    assert row["layout"] == "TP8 PP2 DP4 ZeRO-1" and row["#"] == "1*"
    assert row["memory per GPU"] == "51.2 / 71.6 GiB" and row["time (80 %)"] == "12.5 (10–15) days"
    assert row["MFU"] == "41 %" and row["verdict"] == "tight" and row["GPU-hours"] == "19,200"


def test_what_is_known_of_no_option_has_no_column() -> None:
    assert "cost" not in table(RESULT, "en", SpecBook()).columns


def test_the_report_says_how_many_were_tried_what_was_left_out_and_what_ranks() -> None:
    text = report(RESULT, "en", SpecBook())
    assert text.startswith("20,000 layouts tried, 7,655 do the job; ranked by GPU time (no price is given).")
    assert "12,345  does not fit (64 × 80 GB, TP8 PP2 DP4 ZeRO-1)" in text and text.endswith("A warning.")


def test_columns_line_up_when_characters_are_wide() -> None:
    lines = report(RESULT, "zh", SpecBook()).splitlines()
    head, row = next((lines[i], lines[i + 1]) for i, line in enumerate(lines) if "结论" in line)
    wide = sum(1 for char in head[: head.index("布局")] if "一" <= char <= "鿿")
    assert head.index("布局") + wide == row.index("TP8")


def test_a_plan_without_options_says_so() -> None:
    text = report(PlanResult("time", (), (LEFT,), 12345, 0, (), ()), "zh", SpecBook())
    assert "没有可行的布局" in text and "未入选" in text
