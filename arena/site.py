"""What a running process holds of its site: settings, roster, pictures and the signing keys."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random, SystemRandom
from typing import cast

from flask import current_app

from arena.ballots import Tokens
from arena.database import now
from arena.images import Manifest, load_manifest
from arena.roster import Site, load_site
from arena.settings import Settings


@dataclass(frozen=True, slots=True)
class Arena:
    """Read once when the process starts; the files are not looked at again."""

    settings: Settings
    site: Site
    pictures: Manifest
    tokens: Tokens
    rng: Random

    @classmethod
    def load(cls, settings: Settings) -> Arena:
        """Read the site's files.

        Raises
        ------
        roster.RosterFaults
        """
        return cls(
            settings=settings,
            site=load_site(settings.root, now().date()),
            pictures=load_manifest(settings.root),
            tokens=Tokens(settings.secret_keys),
            rng=SystemRandom(),
        )


def current_arena() -> Arena:
    """The site of the application that handles this request or command."""
    return cast(Arena, current_app.extensions["arena"])
