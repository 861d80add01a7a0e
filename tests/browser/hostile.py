"""Texts that try to become more than text on a page, and how to see that none has."""

import re
from collections.abc import Sequence

from playwright.sync_api import Page

CORPUS = (
    "<script>alert(1)</script>",
    "<script src=//203.0.113.9/x.js></script>",
    "</script><script>alert(1)</script>",
    "<!--<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src=//203.0.113.9/x.png>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '" autofocus onfocus="alert(1)',
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script>",
    "<x-injected>text</x-injected>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<iframe src=javascript:alert(1)>",
    "<a href=javascript:alert(1)>go</a>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//203.0.113.9/>",
    "<base href=//203.0.113.9/>",
    "<meta http-equiv=refresh content=0;url=//x>",
    "<form action=//203.0.113.9><input name=a>",
    "<math><mtext></p><style><img src=x onerror=alert(1)>",
    "{{7*7}}{%print(7*7)%}${7*7}<%=7*7%>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "&#60;x-injected&#62;",
    "__proto__",
    "constructor",
    "`${alert(1)}`",
    "%3Cx-injected%3E",
    "\u202egnip\u2066 <x-injected>",
)
"""Markup, ways out of attributes and scripts, templates, addresses, names that objects have, and turned letters."""

TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066\u2067"
"""What turns the direction of all that follows, as a part of a pattern."""

GIVEN = tuple(text for text in CORPUS if not re.search(f"[{TURNING}]", text))
"""Those that may be names."""

INJECTED = """() => {
  const ours = (element) => new URL(element.src || element.href, location).origin === location.origin;
  const runs = (script) => script.type !== "application/json" && !(script.src && ours(script));
  const acts = (element) => element.getAttributeNames().some((name) => name.startsWith("on"));
  const found = [
    ...document.querySelectorAll("x-injected, iframe, object, embed, base, math, style, meta[http-equiv]"),
    ...[...document.querySelectorAll("script")].filter(runs),
    ...[...document.querySelectorAll("link:not([rel=icon]), img")].filter((one) => !ours(one)),
    ...[...document.querySelectorAll("a[href], area")].filter((one) => !/^(https?|blob):$/.test(one.protocol)),
    ...[...document.querySelectorAll("*")].filter(acts),
  ];
  return [...new Set(found)].map((element) => element.outerHTML.slice(0, 200));
}"""


def injected(page: Page) -> Sequence[str]:
    """Elements of a page that are none of its own."""
    found: list[str] = page.evaluate(INJECTED)
    return found


def unturned(text: str) -> str:
    """A text without the characters that turn the direction of writing, and without what pages show in their place."""
    return re.sub(f"[{TURNING}\ufffd]", "", text)
