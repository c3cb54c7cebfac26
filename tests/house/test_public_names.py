"""What `kb` exports is what the architecture page documents."""

from pathlib import Path

import kb


def test_every_public_name_resolves() -> None:
    assert {n: getattr(kb, n) is not None for n in kb.__all__} == dict.fromkeys(kb.__all__, True)


def test_the_library_is_imported_only_when_used() -> None:
    import subprocess
    import sys

    code = "import sys, kb.types.plain; print([m for m in ('torch', 'faiss', 'fastapi', 'sentence_transformers') if m in sys.modules])"
    root = Path(__file__).parent.parent.parent
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True)
    assert ran.stdout.strip() == "[]"
