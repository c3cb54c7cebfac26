"""`sizewright serve`, also `python -m service`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError

from kb import errors
from service.app import create_app
from service.settings import PREFIX, Settings, unknown_names

HELD_ELSEWHERE = frozenset(f"{PREFIX}{name}" for name in ("CORPUS", "MODEL", "ENCODER", "LOG", "CONFIG"))


def add_command(subparsers: Any) -> None:
    """Adds `serve` to the program's sub-commands (entry point group `sizewright.commands`)."""
    _declare(subparsers.add_parser("serve", help="serve the HTTP API, the demo page and the chat widget", description=__doc__))


def _declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (default 8000)")
    parser.add_argument("--workers", type=int, help="server processes (default 1)")
    parser.add_argument("--home", type=Path, help="folder of the index and all state (default .sizewright)")
    parser.set_defaults(run=serve)


def serve(args: argparse.Namespace) -> int:
    """Runs until stopped; 1 when the service cannot start, 2 when a setting is wrong."""
    given = {name: value for name in ("host", "port", "workers", "home") if (value := getattr(args, name, None)) is not None}
    try:
        settings = Settings(**given)
        if unknown := unknown_names(os.environ, HELD_ELSEWHERE):
            return _fail(2, f"unknown setting(s) in the environment: {', '.join(unknown)}. Remove or correct them.")
        app = _application(settings)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(str(p) for p in e['loc'])}: {e['msg']}" for e in error.errors())
        return _fail(2, f"a setting is wrong: {faults}")
    except errors.IndexMissing as error:
        return _fail(1, f"{error.en}\nRun `sizewright build --home {settings.home}` first, then `sizewright serve` again.")
    except errors.SizewrightError as error:
        return _fail(1, error.en)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    print(f"Sizewright is at http://{host}:{settings.port}/ (Ctrl-C stops it)", file=sys.stderr, flush=True)
    if not settings.loopback:
        print("Note: it listens beyond this machine and asks callers for no key.", file=sys.stderr, flush=True)
    os.environ |= {f"{PREFIX}{name.upper()}": str(getattr(settings, name)) for name in given}  # for worker processes
    many = settings.workers > 1
    try:
        uvicorn.run(
            "service.__main__:application" if many else app, factory=many, workers=settings.workers if many else None,
            host=settings.host, port=settings.port, log_level="warning", access_log=False, server_header=False,
            timeout_graceful_shutdown=settings.shutdown_seconds,
        )  # fmt: skip
    except KeyboardInterrupt:
        pass
    except SystemExit as stopped:  # uvicorn leaves this way when the port is taken
        return 1 if stopped.code else 0
    return 0


def application() -> FastAPI:
    """The application of one worker process, from the environment."""
    return _application(Settings())


def _application(settings: Settings) -> FastAPI:
    from kb import KnowledgeBase  # here, so that `--help` does not load it

    return create_app(KnowledgeBase.open(settings.home), settings)


def _fail(code: int, message: str) -> int:
    print(f"sizewright serve: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    command = argparse.ArgumentParser(prog="python -m service", description=__doc__)
    _declare(command)
    sys.exit(serve(command.parse_args()))
