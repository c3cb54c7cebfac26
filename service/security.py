"""Who is calling, and what a page of ours may do."""

from __future__ import annotations

from ipaddress import ip_address

from fastapi import Request

# Pages load nothing but their own files; no string becomes markup or script.
PAGE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def loopback_caller(request: Request) -> bool:
    """Whether the request comes from this machine: the anonymous caller, who owns the answers that are kept."""
    return request.client is not None and is_loopback(request.client.host)
