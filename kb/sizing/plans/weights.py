"""Weights at rest, quantized or not."""

from __future__ import annotations

from kb.sizing.case import Case
from kb.sizing.plans.stated import format_of
from kb.sizing.rules import memory
from kb.types.derivation import Node

# Formats that quantize linear layers and leave embeddings and head in 16 bits, which count where the vocabulary is known; the others
# are given per parameter of the model.
LINEAR_ONLY = ("awq-int4", "gptq-int4", "nf4", "nf4-dq", "fp4")


def weights_of(case: Case, quantization: str | None) -> Node:
    """The frozen or served weights in `quantization`; None: in 16 bits."""
    assert case.shape is not None
    shape = case.shape
    element = case.constant(f"weight_element.{quantization or 'bf16'}")
    if quantization in LINEAR_ONLY and shape.known("vocab"):
        return memory.quantized_weights(
            parameters=shape["parameters"], element=element, kept=shape["embedding"], kept_element=case.constant("kept_element")
        )
    return memory.weights(parameters=shape["parameters"], element=element)


def file_of(case: Case) -> Node | None:
    """What is sent: bytes as stated, or a model's weights (or its gradients, as many) in the format said."""
    if case.request.size_gb is not None:
        return case.field("size_gb")
    return weights_of(case, format_of(case)) if case.shape and case.shape.known("parameters") else None


def published_file(case: Case) -> Node | None:
    """The same of a model as it is downloaded: in the format in which it is published, unless another is said."""
    said, own = format_of(case), f"weight_element.{case.published}"
    if case.request.size_gb is not None or said is not None or own not in case.assumptions.constants:
        return file_of(case)
    return weights_of(case, case.published) if case.shape and case.shape.known("parameters") else None
