"""Mends templates of openapi-generator where it has a fault that no option goes round. A mended template lies in the
workplace's folder ``templates``; all others are the generator's own."""

from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from generators.commands import Fault
from generators.places import ARCHIVE, HOME


@dataclass(frozen=True)
class Mend:
    """What stands in a template once, and what stands there instead."""

    template: str
    """Its path in the generator's jar."""
    old: str
    new: str


def mend(place: Path, mends: tuple[Mend, ...]) -> None:
    """Lay mended templates into a workplace. A template that does not have what is mended is a fault: the generator is
    another one, and may not need it."""
    (jar,) = HOME.glob(ARCHIVE)
    with ZipFile(jar) as templates:
        for each in mends:
            text = templates.read(each.template).decode()
            if text.count(each.old) != 1:
                raise Fault(f"{each.template} is not as it was when it was mended")
            target = place / "templates" / Path(each.template).name
            target.parent.mkdir(exist_ok=True)
            target.write_text(text.replace(each.old, each.new), "utf-8")
