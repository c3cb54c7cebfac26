"""`sizewright serve`, also `python -m service`: the HTTP API, the demo page and the chat widget."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from kb import settings
from kb.errors import InvalidInput, SizewrightError
from service.app import create_app
from service.security import is_loopback

GRACE = 10  # seconds that running requests may take after a stop signal


def add_command(commands: Any, shared: argparse.ArgumentParser | None = None) -> None:
    """Adds `serve` to the program's sub-commands (entry point group `sizewright.commands`)."""
    parents = [shared] if shared else []
    _declare(
        commands.add_parser("serve", parents=parents, help="serve the HTTP API, the demo page and the chat widget"), not shared
    )


def _declare(parser: argparse.ArgumentParser, alone: bool) -> None:
    parser.add_argument("--host", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (default 8000)")
    parser.add_argument("--workers", type=int, default=1, help="server processes (default 1)")
    if alone:
        parser.add_argument("--home", type=Path, help="folder of the index and all state (default .sizewright)")
    parser.set_defaults(run=serve)


def serve(args: argparse.Namespace) -> int:
    """Runs until stopped. Raises InvalidInput for a wrong setting, IndexMissing when there is no index to serve."""
    if not 1 <= args.workers <= 64:
        raise InvalidInput("workers", args.workers, "--workers must be from 1 to 64", "--workers 须在 1 到 64 之间")
    given = {"host": args.host, "port": args.port, "home": args.home}
    chosen, _ = settings.load(**given)
    app = _application(chosen)
    address = f"http://{f'[{chosen.host}]' if ':' in chosen.host else chosen.host}:{chosen.port}/"
    print(f"Sizewright is at {address} (Ctrl-C stops it)", file=sys.stderr, flush=True)
    if not is_loopback(chosen.host):
        print("Note: it listens beyond this machine and asks callers for no key.", file=sys.stderr, flush=True)
    os.environ.update({f"{settings.PREFIX}{name.upper()}": str(value) for name, value in given.items() if value is not None})
    several = args.workers > 1  # each process then opens the index for itself
    try:
        uvicorn.run(
            "service.__main__:application" if several else app,
            factory=several,
            workers=args.workers if several else None,
            host=chosen.host,
            port=chosen.port,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
    except KeyboardInterrupt:
        return 0
    except SystemExit as stopped:  # so uvicorn leaves when the port is taken, having said so
        return 1 if stopped.code else 0
    return 0


def application() -> FastAPI:
    """The application of one of several server processes, from the environment."""
    return _application(settings.load()[0])


def _application(chosen: settings.Settings) -> FastAPI:
    from kb import KnowledgeBase  # here, so that `--help` need not load it

    opened = KnowledgeBase.open(chosen.home, model=chosen.model, retention=chosen.retention * 3600, llm=chosen.llm)
    return create_app(opened, chosen)


if __name__ == "__main__":
    command = argparse.ArgumentParser(prog="python -m service", description=__doc__)
    _declare(command, alone=True)
    try:
        sys.exit(serve(command.parse_args()))
    except SizewrightError as error:
        print(f"sizewright serve: {error.en}", file=sys.stderr)
        sys.exit(2 if isinstance(error, InvalidInput) else 1)
