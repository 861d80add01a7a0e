"""Serves the pages for people: rendered here, in English and Japanese, under a policy that runs nothing inline."""

from gyoji.web.pages import (
    audits,
    console,
    guides,
    home,
    matches,
    quick_rulings,
    reference,
    rulebooks,
    setups,
    tournaments,
)
from gyoji.web.routes import Routes

ROUTES: tuple[Routes, ...] = (
    home.routes,
    matches.routes,
    tournaments.routes,
    setups.routes,
    audits.routes,
    quick_rulings.routes,
    console.routes,
    rulebooks.routes,
    reference.routes,
    guides.routes,
)
