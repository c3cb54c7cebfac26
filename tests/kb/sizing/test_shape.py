"""Parameter counts from shapes, against the totals that publishers state."""

import pytest

GQA = {"heads": 32, "kv_heads": 8, "head_dim": 128, "vocab": 128256}


@pytest.mark.parametrize(
    ("shape", "total"),
    [
        ({"layers": 32, "hidden": 4096, "ffn": 14336, **GQA}, 8030261248),
        ({"layers": 80, "hidden": 8192, "ffn": 28672, **GQA, "heads": 64}, 70553706496),
        ({"layers": 126, "hidden": 16384, "ffn": 53248, **GQA, "heads": 128}, 405853388800),
        ({"layers": 28, "hidden": 3072, "ffn": 8192, **GQA, "heads": 24, "tied_embeddings": True}, 3212749824),
    ],
)
def test_a_dense_shape_gives_the_published_total(sized, shape, total: int) -> None:
    weights = next(v.value for v in sized(model=shape, quantization="fp16").values if v.name == "weights")
    assert weights * 2**30 / 2 == pytest.approx(total, rel=1e-9)


def test_a_mixture_with_latent_attention_gives_total_and_active_parameters(sized) -> None:
    shape = {
        "layers": 61, "hidden": 7168, "ffn": 18432, "heads": 128, "vocab": 129280, "kv_lora_rank": 512, "q_lora_rank": 1536,
        "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "experts": 256, "top_k": 8, "shared_experts": 1,
        "expert_ffn": 2048, "dense_layers": 3,
    }  # fmt: skip
    result = sized(model=shape, quantization="fp8")
    weights = next(v.value for v in result.values if v.name == "weights")
    assert weights * 2**30 == pytest.approx(671026419200, rel=1e-4)


def test_a_size_alone_is_enough_and_says_what_it_assumed(sized) -> None:
    result = sized(parameters=7e9, gpu="big-80gb")
    assert {"kv_heads", "hidden"} <= {a.slot for a in result.assumptions}
    assert {v.name for v in result.values} >= {"kv_cache", "decode_tokens_per_second", "time_to_first_token"}


def test_scores_of_latent_attention_are_as_wide_as_keys_and_values_on_average(value) -> None:
    """Keys of 128 + 64 and values of 128: 6 x 61 x 128 heads x 160 x 4096 tokens = 30.7 GFLOP of attention per token."""
    run = {"workload": "pretrain", "model": "mixture-671b", "gpu": "big-80gb", "gpu_count": 2048, "tokens": 1e12}
    more = value("training_flops", **run, seq_len=8192) - value("training_flops", **run, seq_len=4096)
    assert more / 1e12 == pytest.approx(6 * 61 * 128 * 160 * 4096)
