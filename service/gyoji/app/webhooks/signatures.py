"""Signs messages: by the rules of Standard Webhooks 1.0 (https://www.standardwebhooks.com), scheme ``v1``."""

import hmac
from base64 import b64encode
from collections.abc import Mapping

SECRET = 32
"""Random bytes of a secret."""
PREFIX = "whsec_"


def written_secret(secret: bytes) -> str:
    """Write the secret as it is shown once, and as libraries of the standard take it."""
    return PREFIX + b64encode(secret).decode()


def signed_headers(secret: bytes, message: str, seconds: int, body: bytes) -> Mapping[str, str]:
    """Sign a message: the three headers of an attempt at ``seconds`` (Unix): what is signed is ``id.seconds.body``, by
    HMAC-SHA-256."""
    content = f"{message}.{seconds}.".encode() + body
    signature = b64encode(hmac.digest(secret, content, "sha256")).decode()
    return {"webhook-id": message, "webhook-timestamp": str(seconds), "webhook-signature": f"v1,{signature}"}
