from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from kb.settings import Settings
from service.app import create_app
from tests.service.fake_knowledge import FakeKnowledgeBase


@pytest.fixture(scope="session")
def knowledge() -> FakeKnowledgeBase:
    return FakeKnowledgeBase()


@pytest.fixture(scope="session")
def client(knowledge: FakeKnowledgeBase) -> Iterator[TestClient]:
    app = create_app(knowledge, Settings(max_body=65_536))
    with TestClient(app, client=("127.0.0.1", 50000), raise_server_exceptions=False) as opened:
        yield opened
