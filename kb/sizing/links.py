"""A link as people write it: `NVLink`, `400 Gbps RDMA per GPU`, `4x100 Gb RoCE per node`."""

from __future__ import annotations

import re

OWN_LINK = re.compile(r"nvlink|nvswitch|xgmi|infinity fabric|ici\b", re.IGNORECASE)
RATE = r"(\d+(?:\.\d+)?)\s*(?-i:(?!GB))(?:gbps|gbit/s|gb/s|gb)\b"  # of bits: GB are bytes
PORTS = re.compile(rf"(?:(\d+)\s*[x×]\s*)?{RATE}[^;,]*?(?:per\s+|/\s*|每\s*)(gpu|node|server|卡|节点|机)", re.IGNORECASE)
NETWORK = re.compile(rf"{RATE}[^;,]*?(?:ethernet|infiniband|\bib\b|roce|rdma|network|以太|网)|(\d+)\s?gbe\b", re.IGNORECASE)
COUNTED = re.compile(r"(\d+)\s+omni-?path", re.IGNORECASE)
OMNIPATH = 100  # Gbit/s of a port
BITS = 8


def has_own_link(text: str) -> bool:
    """Whether a link between the GPUs of a server is named that is faster than PCIe."""
    return OWN_LINK.search(text) is not None


def network_per_gpu(text: str, gpus_per_node: int) -> float | None:
    """Bytes per second and direction that a GPU has of the network, where the text states ports and their rate; else None."""
    found = PORTS.search(text)
    if found:
        rate = int(found[1] or 1) * float(found[2]) * 1e9 / BITS
        return rate if found[3].lower() in ("gpu", "卡") else rate / gpus_per_node
    counted = COUNTED.search(text)
    return int(counted[1]) * OMNIPATH * 1e9 / BITS / gpus_per_node if counted else None


def port(text: str) -> float | None:
    """Bytes per second and direction of a network that is named with its rate alone; else None."""
    found = NETWORK.search(text)
    return float(found[1] or found[2]) * 1e9 / BITS if found else None
