"""Computed values by what they are about."""

from __future__ import annotations

import dataclasses

from kb.types.sizing import ModelShape

RESERVED = "memory_reserved_per_gpu"  # by an engine when it starts, whatever it needs
RESERVES = "reserves."  # of an engine: the names of these assumptions
SHAPE = {f.name for f in dataclasses.fields(ModelShape)} - {"parameters", "active_parameters"}
# Values that are about GPU memory: of these a verdict on GPU memory may be given.
STATES = {"model_states", "model_states_per_gpu"}
GPU_MEMORY = {"memory_total", "memory_per_gpu", "weights", "kv_cache", *STATES, "max_context_len", "max_concurrency"}
SPEEDS = {"decode_tokens_per_second", "decode_tokens_per_second_per_request", "decode_ceiling"}
COLLECTIVES = {"all_reduce_time", "all_gather_time", "reduce_scatter_time", "all_to_all_time"}
ROOM = ("max_context_len", "max_concurrency", "kv_cache_tokens")  # what is left beside the weights
CACHE = {"kv_cache", "kv_cache_per_token"}
PACED = {*SPEEDS, "job_time", "training_time", "tokens_per_second", "mfu", "time_to_first_token"}
