"""A rule's body as a reader sees it: names for the formula, numbers for the calculation."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from kb.sizing.elementwise import WRITTEN

SIGNS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: (" + ", 1), ast.Sub: (" − ", 1), ast.Mult: (" × ", 2), ast.Div: (" / ", 2), ast.FloorDiv: (" // ", 2), ast.Pow: (" ^ ", 3),
}  # fmt: skip


class Name(str):
    """A name in a formula, which may be written as its value."""


@dataclass(frozen=True, slots=True)
class Formula:
    """The single expression that a rule returns, taken apart once: texts, and names among them."""

    pieces: tuple[str, ...]

    def text(self, names: Mapping[str, str]) -> str:
        """The expression with every input written as `names` says, by its own name where it says nothing."""
        return "".join([names.get(piece, piece) if type(piece) is Name else piece for piece in self.pieces])


def formula_of(function: Callable[..., float]) -> Formula:
    """The formula of a function whose body is a docstring and one return; raises ValueError for any other."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    match definition:
        case ast.FunctionDef(body=[*_, ast.Return(value=ast.expr() as value)]) if len(definition.body) <= 2:
            return Formula(tuple(_pieces(value, 0)))
    raise ValueError(f"{function.__name__}: a rule is a docstring and one return")


def _pieces(node: ast.expr, outer: int) -> Iterator[str]:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            sign, rank = SIGNS[type(op)]
            right_rank = rank + 1 if isinstance(op, ast.Sub | ast.Div | ast.FloorDiv) else rank
            inside = [*_pieces(left, rank), sign, *_pieces(right, right_rank)]
            yield from ("(", *inside, ")") if rank < outer else inside
        case ast.Call(func=func, args=args):
            name = func.attr if isinstance(func, ast.Attribute) else ast.unparse(func)
            yield f"{WRITTEN.get(name, name)}("
            for place, argument in enumerate(args):
                yield from (", ",) if place else ()
                yield from _pieces(argument, 0)
            yield ")"
        case ast.Name(id=id):
            yield Name(id)
        case _:
            yield ast.unparse(node)
