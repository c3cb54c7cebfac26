import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # tests/eval/answers.py, shared by the tests of this folder

import pytest


@pytest.fixture
def specs_folder():
    return Path(__file__).parents[2] / "corpus" / "specs"
