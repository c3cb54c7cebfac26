"""The description of the interface: a change of the wire is always visible. `UPDATE_GOLDEN=1` rewrites it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

GOLDEN = Path(__file__).parent.parent / "golden" / "openapi.json"


def test_the_interface_is_as_recorded(client: Any) -> None:
    found = client.get("/openapi.json").json()
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8")), "run with UPDATE_GOLDEN=1 if the change is meant"


def test_every_reference_in_it_resolves(client: Any) -> None:
    found = client.get("/openapi.json").json()
    names = found["components"]["schemas"]
    for piece in json.dumps(found).split('"#/components/schemas/')[1:]:
        assert piece.split('"')[0] in names


def test_every_operation_with_a_body_documents_its_problems(client: Any) -> None:
    for path, operations in client.get("/openapi.json").json()["paths"].items():
        for operation in operations.values():
            if "requestBody" in operation:
                assert {"400", "413", "415", "422"} <= set(operation["responses"]), path
