"""Every setting: its meaning, its bound, its default, and where its value came from.

Values come from the command line, then `SIZEWRIGHT_*` in the environment, then `sizewright.toml` in the working directory.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AnyHttpUrl,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from kb.errors import InvalidInput

PREFIX = "SIZEWRIGHT_"
FILE = Path("sizewright.toml")
CORPUS = Path(__file__).resolve().parent.parent / "corpus"


HOURS = {"m": 1 / 60, "h": 1.0, "d": 24.0}


def _hours(value: Any) -> Any:
    """`90m`, `24h` or `7d` in hours; a bare number is hours."""
    text = str(value).strip().lower()
    return float(text[:-1]) * HOURS[text[-1]] if text[-1:] in HOURS and text[:-1].replace(".", "", 1).isdigit() else value


def _sendable(key: SecretStr) -> SecretStr:
    """A key that an HTTP header can hold."""
    if not (key.get_secret_value().isascii() and key.get_secret_value().isprintable()):
        raise ValueError("a key is one line of ASCII characters")
    return key


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A model at an OpenAI-compatible endpoint: `url` up to `/v1`, `budget` in seconds."""

    url: str
    name: str
    key: str
    budget: float


class Settings(BaseModel):
    """Frozen; unknown names are an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    home: Annotated[Path, Field(description="Folder of the index and all state.")] = Path(".sizewright")
    corpus: Annotated[Path, Field(description="Folder of articles, spec tables, terms and assumptions.")] = CORPUS
    model: Annotated[
        str | None, Field(description="Embedding model: a sentence-transformers folder or name; none: the bundled one.")
    ] = None
    host: Annotated[str, Field(description="Address that `serve` listens on.")] = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535, description="Port that `serve` listens on.")] = 8000
    retention: Annotated[
        float,
        BeforeValidator(_hours),
        Field(gt=0, le=24 * 365, description="Hours that answers and conversations are kept; 90m, 24h, 7d."),
    ] = 24
    max_question: Annotated[int, Field(ge=100, le=100_000, description="Longest question, in characters.")] = 4000
    max_body: Annotated[int, Field(ge=1024, le=2**27, description="Largest request body, in bytes.")] = 262_144
    llm_url: Annotated[
        AnyHttpUrl | None,
        Field(description="OpenAI-compatible endpoint of a language model that rephrases answers, up to /v1."),
    ] = None
    llm_model: Annotated[str, Field(description="Its name at that endpoint.", validate_default=True)] = ""
    llm_key: Annotated[
        SecretStr, AfterValidator(_sendable), Field(description="Key of that endpoint, where it wants one; never shown.")
    ] = SecretStr("")
    llm_budget: Annotated[float, Field(gt=0, le=300, description="Seconds the language model may take for an answer.")] = 10
    origins: Annotated[tuple[str, ...], Field(description="Origins whose pages may embed the widget and call the API.")] = ()

    @field_validator("llm_model")
    @classmethod
    def _both(cls, name: str, info: ValidationInfo) -> str:
        if "llm_url" in info.data and bool(name) != bool(info.data["llm_url"]):
            raise ValueError("llm_url and llm_model are given together or not at all")
        return name

    @property
    def llm(self) -> LanguageModel | None:
        """The language model that was configured; none: answers are not rephrased."""
        if self.llm_url is None:
            return None
        return LanguageModel(str(self.llm_url).rstrip("/"), self.llm_model, self.llm_key.get_secret_value(), self.llm_budget)


def load(**given: Any) -> tuple[Settings, dict[str, str]]:
    """The settings and, by name, where each came from; raises InvalidInput for an unknown name or a value out of bounds."""
    try:
        file = tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(str(FILE), None, f"{FILE} does not read: {error}", f"{FILE} 无法读取：{error}") from None
    environment = {k[len(PREFIX) :].lower(): v for k, v in os.environ.items() if k.startswith(PREFIX)}
    plain_names = {n: os.environ[n.upper()] for n in ("host", "port") if os.environ.get(n.upper())}
    values: dict[str, Any] = {}
    origin = dict.fromkeys(Settings.model_fields, "default")
    for source, found in (
        (str(FILE), file),
        ("HOST, PORT", plain_names),
        ("environment", environment),
        ("command line", {k: v for k, v in given.items() if v is not None}),
    ):
        for name, value in found.items():
            if name == "origins" and isinstance(value, str):
                value = [o.strip() for o in value.split(",") if o.strip()]
            values[name], origin[name] = value, source
    try:
        return Settings(**values), origin
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise InvalidInput(
            name,
            first.get("input"),
            f"setting {name} (from {origin.get(name, 'unknown')}): {first['msg']}. `sizewright config` lists the settings.",
            f"设置 {name}（来自 {origin.get(name, '未知')}）有误：{first['msg']}。可用 `sizewright config` 查看全部设置。",
        ) from None
