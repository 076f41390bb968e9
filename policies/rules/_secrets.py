"""What a secret looks like, by its value and by its name."""

import base64
import binascii
import re
from typing import Final

_VALUES: Final = {
    "an AWS access key": r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])",
    "a Hugging Face token": r"hf_[A-Za-z0-9]{16,}",
    "a GitHub token": r"(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
    "a GitLab token": r"glpat-[A-Za-z0-9_-]{20,}",
    "an NVIDIA API key": r"nvapi-[A-Za-z0-9_-]{20,}",
    "a Slack token": r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "a model provider's API key": r"sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}",
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----",
}
"""Prefixes that their issuers publish so that leaks can be found."""

_PATTERN: Final = re.compile("|".join(f"((?<![A-Za-z0-9_-]){pattern})" for pattern in _VALUES.values()))
_KINDS: Final = tuple(_VALUES)

_WORDS: Final = frozenset({"TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "APIKEY"})
_PAIRS: Final = frozenset(
    {("SECRET", "KEY"), ("API", "KEY"), ("PRIVATE", "KEY"), ("ACCESS", "KEY"), ("CLIENT", "SECRET")}
)
_ABOUT: Final = frozenset(
    {
        *("AUDIENCE", "COUNT", "DIR", "ENABLED", "ENDPOINT", "EXPIRATION", "EXPIRY", "FILE", "HOPS", "ID", "ISSUER"),
        *("LENGTH", "LIMIT", "MODE", "NAME", "NAMESPACE", "PATH", "POLICY", "PROVIDER", "REF", "REQUIRED", "ROLE"),
        *("SECONDS", "SECRET", "SOURCE", "TIMEOUT", "TTL", "TYPE", "URI", "URL", "VERSION"),
    }
)
"""Last words by which a name tells of something about a secret, and not the secret: HF_TOKEN_PATH."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HARMLESS: Final = re.compile(r"|true|false|yes|no|none|null|-?\d+(\.\d+)?|\$\(.*\)|\$?\{\{?.*\}\}?", re.IGNORECASE)


def kind_of(text: str) -> str | None:
    """Return what secret stands in the text, or what stands in it decoded where it is base64; never the secret."""
    return _kind_in(text) or _kind_in(_decoded(text))


def is_secret_name(name: str) -> bool:
    """Tell whether something of that name is a secret: HF_TOKEN, adminPassword, not MAX_TOKENS nor TOKEN_FILE."""
    words = [word.upper() for word in _WORD.findall(name)]
    if not words or (words[-1] in _ABOUT and tuple(words[-2:]) not in _PAIRS):
        return False
    if len(words) > 1 and words[-1] == "KEY" and words[-2] in _WORDS:
        return False  # which entry of a Secret holds it
    return not _WORDS.isdisjoint(words) or not _PAIRS.isdisjoint(zip(words, words[1:], strict=False))


def is_literal(value: object) -> bool:
    """Tell whether a value may be a secret written out: a flag, a number, nothing or a reference is none."""
    return isinstance(value, str) and not _HARMLESS.fullmatch(value.strip())


def _kind_in(text: str) -> str | None:
    found = _PATTERN.search(text)
    return None if found is None or found.lastindex is None else _KINDS[found.lastindex - 1]


def _decoded(text: str) -> str:
    compact = "".join(text.split())
    if len(compact) < 16 or len(compact) % 4:
        return ""
    try:
        return base64.b64decode(compact, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
