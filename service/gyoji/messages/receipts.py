"""Writes in both languages what the check of a receipt found."""

from typing import Any

from gyoji.messages.language import Language
from gyoji.messages.verdicts import reason, sentences
from gyoji.trust.receipts import CheckedReceipt


def receipt_document(checked: CheckedReceipt, language: Language) -> dict[str, Any]:
    """Return the verdict on a receipt as ``gyoji receipt check --json`` prints it."""
    return {
        "verdict": checked.verdict,
        "match": checked.match,
        "seq": checked.seq,
        "checks": [
            {"check": one.aspect, "result": one.result, "why": None if one.why is None else reason(one.why, language)}
            for one in checked.checks
        ],
    }


def receipt_sentence(checked: CheckedReceipt, language: Language) -> str:
    """Write the verdict on a receipt as a sentence, and the reason for it if there is one."""
    whys = [one.why for one in checked.checks if one.word == checked.verdict != "verified" and one.why is not None]
    is_kept = any(one.aspect == "log" and one.result == "pass" for one in checked.checks)
    code = "kept" if is_kept and checked.verdict == "verified" else checked.verdict
    parts = [sentences()["receipt"][code][language], *[reason(why, language) for why in whys[:1]]]
    return (" " if language == "en" else "").join(parts)
