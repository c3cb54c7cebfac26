"""A rule's body as a reader sees it: names for the formula, numbers for the calculation."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kb.sizing.elementwise import WRITTEN

SIGNS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: (" + ", 1), ast.Sub: (" − ", 1), ast.Mult: (" × ", 2), ast.Div: (" / ", 2), ast.FloorDiv: (" // ", 2), ast.Pow: (" ^ ", 3),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Formula:
    """The single expression that a rule returns."""

    expression: ast.expr

    def text(self, names: Mapping[str, str]) -> str:
        """The expression with every input written as `names` says, by its own name where it says nothing."""
        return _write(self.expression, names, 0)


def formula_of(function: Callable[..., float]) -> Formula:
    """The formula of a function whose body is a docstring and one return; raises ValueError for any other."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    match definition:
        case ast.FunctionDef(body=[*_, ast.Return(value=ast.expr() as value)]) if len(definition.body) <= 2:
            return Formula(value)
    raise ValueError(f"{function.__name__}: a rule is a docstring and one return")


def _write(node: ast.expr, names: Mapping[str, str], outer: int) -> str:
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            sign, rank = SIGNS[type(op)]
            right_rank = rank + 1 if isinstance(op, ast.Sub | ast.Div | ast.FloorDiv) else rank
            text = _write(left, names, rank) + sign + _write(right, names, right_rank)
            return f"({text})" if rank < outer else text
        case ast.Call(func=func, args=args):
            name = func.attr if isinstance(func, ast.Attribute) else ast.unparse(func)
            return f"{WRITTEN.get(name, name)}({', '.join(_write(a, names, 0) for a in args)})"
        case ast.Name(id=id):
            return names.get(id, id)
    return ast.unparse(node)
