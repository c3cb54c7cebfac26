"""GPUs for a load of requests."""

import pytest

ASKED = {"model": "dense-8b", "gpu": "big-80gb", "prompt_tokens": 1000, "output_tokens": 300}


def test_a_heavier_load_takes_more_gpus_in_proportion(value) -> None:
    counts = [value("gpu_count", **ASKED, requests_per_second=r) for r in (0.1, 10, 100, 1000)]
    assert counts == sorted(counts) and counts[0] == 1
    assert counts[3] == pytest.approx(10 * counts[2], rel=0.15)


def test_the_speed_of_all_replicas_covers_the_load(value, sized) -> None:
    asked = {**ASKED, "requests_per_second": 200}
    assert value("decode_tokens_per_second", **asked) >= 200 * 300
    assert sized(**asked).request.gpu_count == value("gpu_count", **asked)
    assert sized(**asked).verdict == "fits"


def test_a_light_load_keeps_few_sequences_in_flight(sized) -> None:
    assert sized(**ASKED, requests_per_second=0.1).request.concurrency == 1
    heavy = sized(**ASKED, requests_per_second=100)
    assert heavy.request.concurrency > 100
    assert "128" in next(a.reason for a in heavy.assumptions if a.slot == "concurrency")


def test_a_replica_is_as_large_as_takes_the_fewest_gpus(value, sized) -> None:
    asked = {**ASKED, "model": "dense-70b", "requests_per_second": 20}
    result = sized(**asked)
    assert result.request.tensor_parallel > 2  # two hold it, with room for few sequences
    assert result.request.gpu_count % result.request.tensor_parallel == 0


@pytest.mark.parametrize(("language", "said"), [("en", "load"), ("zh", "负载")])
def test_gpus_that_do_not_carry_a_load_are_warned_of(sized, language: str, said: str) -> None:
    enough = sized(**ASKED, gpu_count=8, requests_per_second=1, language=language)
    short = sized(**ASKED, gpu_count=1, requests_per_second=500, language=language)
    assert not any(said in w for w in enough.warnings)
    assert any(said in w for w in short.warnings)
    assert next(v.value for v in short.values if v.name == "gpus_for_load") > 1


def test_sequences_that_were_stated_are_kept(sized) -> None:
    assert sized(**ASKED, requests_per_second=100, concurrency=40).request.concurrency == 40


def test_prompts_are_work_of_the_replicas_however_many_there_are(value) -> None:
    """Long prompts take GPUs even where hardly anything is generated, on replicas that were stated as on those that are found."""
    asked = {"model": "dense-8b", "gpu": "big-80gb", "output_tokens": 10, "requests_per_second": 50}
    short, long = (value("gpus_for_load", **asked, prompt_tokens=n) for n in (500, 16_000))
    assert long > 4 * short
    stated = [value("gpus_for_load", **asked, prompt_tokens=n, gpu_count=4, tensor_parallel=1) for n in (500, 16_000)]
    assert stated[1] > 4 * stated[0]
