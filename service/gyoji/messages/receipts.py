"""What is said of a receipt, as a document in the caller's language."""

from typing import Any

from gyoji.messages.language import Language
from gyoji.messages.verdicts import reason, sentences
from gyoji.trust.receipt_checks import Held


def held_document(held: Held, language: Language) -> dict[str, Any]:
    """The verdict on a receipt as ``gyoji receipt check --json`` gives it."""
    return {
        "verdict": held.verdict,
        "match": held.match,
        "seq": held.seq,
        "checks": [
            {"check": one.aspect, "result": one.result, "why": None if one.why is None else reason(one.why, language)}
            for one in held.weighed
        ],
    }


def held_sentence(held: Held, language: Language) -> str:
    """The verdict in a sentence, and the reason for it if there is one."""
    whys = [one.why for one in held.weighed if one.word == held.verdict != "verified" and one.why is not None]
    is_kept = any(one.aspect == "log" and one.result == "pass" for one in held.weighed)
    code = "kept" if is_kept and held.verdict == "verified" else held.verdict
    said = [sentences()["receipt"][code][language], *[reason(why, language) for why in whys[:1]]]
    return (" " if language == "en" else "").join(said)
