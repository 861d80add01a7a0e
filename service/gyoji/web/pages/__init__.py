"""Pages that people look at: server-rendered, in English and Japanese, under a policy that runs nothing inline."""

from flask import Blueprint

from gyoji.web.pages import audits, console, home, matches, reference, rulebooks, tournaments

BLUEPRINTS: tuple[Blueprint, ...] = (
    home.blueprint,
    matches.blueprint,
    tournaments.blueprint,
    audits.blueprint,
    console.blueprint,
    rulebooks.blueprint,
    reference.blueprint,
)
