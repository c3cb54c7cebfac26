"""Settings of the language model: wrong ones are named, the key is never shown."""

import json

import pytest

from kb import settings
from kb.cli import main
from kb.errors import InvalidInput
from kb.settings import LanguageModel

URL, KEY = "http://127.0.0.1:8080/v1", "sk-something"


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name, value in {"URL": URL, "MODEL": "small", "KEY": KEY, "BUDGET": "2.5"}.items():
        monkeypatch.setenv(f"SIZEWRIGHT_LLM_{name}", value)
    return monkeypatch


def test_no_language_model_is_the_default() -> None:
    assert settings.load()[0].llm is None


def test_a_language_model_is_configured_in_the_environment(configured: pytest.MonkeyPatch) -> None:
    assert settings.load()[0].llm == LanguageModel(URL, "small", KEY, 2.5)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("URL", "localhost:8080", "llm_url"),
        ("URL", "ftp://127.0.0.1/v1", "llm_url"),
        ("BUDGET", "0", "llm_budget"),
        ("BUDGET", "soon", "llm_budget"),
        ("KEY", "two\nlines", "llm_key"),
        ("MODEL", "", "together"),
        ("TEMPERATURE", "1", "llm_temperature"),
    ],
)
def test_a_wrong_setting_is_named(configured: pytest.MonkeyPatch, name: str, value: str, says: str) -> None:
    configured.setenv(f"SIZEWRIGHT_LLM_{name}", value)
    with pytest.raises(InvalidInput, match=says) as wrong:
        settings.load()
    assert "sizewright config" in wrong.value.en and "sizewright config" in wrong.value.zh
    assert KEY not in wrong.value.en + wrong.value.zh


def test_a_name_without_an_endpoint_is_wrong(configured: pytest.MonkeyPatch) -> None:
    configured.delenv("SIZEWRIGHT_LLM_URL")
    with pytest.raises(InvalidInput, match="together"):
        settings.load()


def test_the_key_is_not_shown(configured: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--json"]) == 0
    shown = capsys.readouterr().out
    assert json.loads(shown)["llm_url"]["value"] == URL and KEY not in shown
