"""Every setting of the service, its bound and its meaning.

From the environment (`SIZEWRIGHT_PORT=9000`; `HOST` and `PORT` alone also work), then `sizewright.toml` in the working
directory (`[service]` table), then the defaults here. An unknown name is an error, so that a misspelt one cannot be ignored.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

FILE = Path("sizewright.toml")
PREFIX = "SIZEWRIGHT_"
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def _duration(value: Any) -> Any:
    """`24h`, `90m`, `7d`, or seconds."""
    found = re.fullmatch(r"(\d+)\s*([smhd]?)", value.strip()) if isinstance(value, str) else None
    return timedelta(seconds=int(found[1]) * SECONDS[found[2] or "s"]) if found else value


def _listed(value: Any) -> Any:
    """`a, b` of the environment as a list."""
    return [item.strip() for item in value.split(",") if item.strip()] if isinstance(value, str) else value


Duration = Annotated[timedelta, BeforeValidator(_duration)]
Origins = Annotated[list[str], NoDecode, BeforeValidator(_listed)]


class ServiceFile(TomlConfigSettingsSource):
    """The `[service]` table of the configuration file; the other tables belong to other parts."""

    def _read_file(self, file_path: Path, deep_merge: bool = False) -> dict[str, Any]:
        return dict(tomllib.loads(file_path.read_text(encoding="utf-8")).get("service", {}))


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, toml_file=FILE, extra="forbid", populate_by_name=True)

    home: Path = Field(Path(".sizewright"), description="folder of the index and all state")
    host: str = Field(
        "127.0.0.1", description="address to listen on", validation_alias=AliasChoices("host", f"{PREFIX}HOST", "HOST")
    )
    port: int = Field(
        8000, ge=0, le=65535, description="port to listen on", validation_alias=AliasChoices("port", f"{PREFIX}PORT", "PORT")
    )
    workers: int = Field(1, ge=1, le=64, description="server processes")
    retention: Duration = Field(timedelta(hours=24), description="how long an answer is kept: 24h, 90m, 7d")
    max_question: int = Field(4000, ge=1, le=100_000, description="longest question, in characters")
    max_body: int = Field(1_048_576, ge=1024, le=67_108_864, description="largest request body, in bytes")
    max_depth: int = Field(32, ge=4, le=100, description="deepest nesting of a JSON body")
    allowed_origins: Origins = Field([], description="web origins that may call the service from a page of theirs (CORS)")
    shutdown_seconds: int = Field(10, ge=0, le=600, description="how long running requests may take after a stop signal")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, ServiceFile(settings_cls)

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the service."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def unknown_names(environment: Mapping[str, str] = os.environ, others: frozenset[str] = frozenset()) -> list[str]:
    """Names in the environment that look like settings and are none; `others` are settings of other parts."""
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | others
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)
