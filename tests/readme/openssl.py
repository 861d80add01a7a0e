"""Does what docs/verify.md asks of OpenSSL 3, for machines without it: pkeyutl -verify with a raw Ed25519 key in
DER."""

import argparse
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key


def main() -> None:
    """Say whether the signature is right, as openssl does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["pkeyutl"])
    for flag in ("-verify", "-pubin", "-rawin"):
        parser.add_argument(flag, action="store_true", required=True)
    parser.add_argument("-keyform", choices=["DER"])
    for file in ("-inkey", "-in", "-sigfile"):
        parser.add_argument(file, type=Path, required=True)
    given = vars(parser.parse_args())
    key = load_der_public_key(given["inkey"].read_bytes())
    assert isinstance(key, Ed25519PublicKey)
    try:
        key.verify(given["sigfile"].read_bytes(), given["in"].read_bytes())
    except InvalidSignature:
        sys.exit("Signature Verification Failure")
    sys.stdout.write("Signature Verified Successfully\n")


if __name__ == "__main__":
    main()
