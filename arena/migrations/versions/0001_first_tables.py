"""The log, what is worked out from it, and the triggers that keep the log append-only.

Revision 0001, the first.
"""

import sqlalchemy as sa
from alembic import op

from arena.append_only import protect
from arena.database import Moment

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = {
    "events": [["number"]],
    "votes": [["number"], ["ballot"]],
    "retractions": [["number"], ["ballot"]],
    "invalidations": [["number"], ["vote"]],
    "publications": [["id"]],
    "published_standings": [["publication", "position"], ["publication", "entry"]],
    "takedown_requests": [["reference"], ["key_hash"]],
    "takedown_decisions": [["id"]],
}


def upgrade() -> None:
    op.create_table(
        "ballots",
        sa.Column("id", sa.String(length=22), nullable=False),
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("left", sa.String(length=64), nullable=False),
        sa.Column("right", sa.String(length=64), nullable=False),
        sa.Column("strategy", sa.String(length=16), nullable=False),
        sa.Column("forecast", sa.Double(), nullable=True),
        sa.Column("forecast_tie", sa.Double(), nullable=True),
        sa.Column("publication", sa.Integer(), nullable=True),
        sa.Column("session", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=32), nullable=True),
        sa.Column("drawn_at", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ballots")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_ballots_address_drawn_at"), "ballots", ["address", "drawn_at"], unique=False
    )
    op.create_index(op.f("ix_ballots_axis_drawn_at"), "ballots", ["axis", "drawn_at"], unique=False)
    op.create_index(
        op.f("ix_ballots_session_axis_drawn_at"),
        "ballots",
        ["session", "axis", "drawn_at"],
        unique=False,
    )
    op.create_table(
        "daily_salts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_daily_salts")),
    )
    op.create_table(
        "events",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("holder", sa.String(length=32), nullable=False),
        sa.Column("until", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.create_table(
        "live_moves",
        sa.Column(
            "vote",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("left_change", sa.Double(), nullable=False),
        sa.Column("right_change", sa.Double(), nullable=False),
        sa.Column("left_rating", sa.Double(), nullable=False),
        sa.Column("right_rating", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("vote", name=op.f("pk_live_moves")),
    )
    op.create_table(
        "live_ratings",
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("entry", sa.String(length=64), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("axis", "entry", name=op.f("pk_live_ratings")),
    )
    op.create_table(
        "pair_tallies",
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("left", sa.String(length=64), nullable=False),
        sa.Column("right", sa.String(length=64), nullable=False),
        sa.Column("part", sa.String(length=12), nullable=False),
        sa.Column("left_wins", sa.Integer(), nullable=False),
        sa.Column("right_wins", sa.Integer(), nullable=False),
        sa.Column("ties", sa.Integer(), nullable=False),
        sa.Column("skips", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("axis", "left", "right", "part", name=op.f("pk_pair_tallies")),
    )
    op.create_table(
        "publications",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("method", sa.String(length=32), nullable=False),
        sa.Column("published_at", Moment(timezone=True), nullable=False),
        sa.Column("basis_digest", sa.String(length=64), nullable=False),
        sa.Column("basis", sa.LargeBinary(), nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.Column("ties", sa.Integer(), nullable=False),
        sa.Column("skips", sa.Integer(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("connected", sa.Boolean(), nullable=False),
        sa.Column("components", sa.Integer(), nullable=False),
        sa.Column("strongly_connected", sa.Boolean(), nullable=False),
        sa.Column("converged", sa.Boolean(), nullable=False),
        sa.Column("iterations", sa.Integer(), nullable=False),
        sa.Column("log_likelihood", sa.Double(), nullable=False),
        sa.Column("anchor", sa.Double(), nullable=True),
        sa.Column("nu", sa.Double(), nullable=True),
        sa.Column("temperature", sa.Double(), nullable=True),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("trace", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publications")),
    )
    op.create_index(
        op.f("ix_publications_axis_method_id"),
        "publications",
        ["axis", "method", "id"],
        unique=False,
    )
    op.create_table(
        "refits",
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("method", sa.String(length=32), nullable=False),
        sa.Column("tried_at", Moment(timezone=True), nullable=False),
        sa.Column("succeeded_at", Moment(timezone=True), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("axis", "method", name=op.f("pk_refits")),
    )
    op.create_table(
        "roster_slugs",
        sa.Column("kind", sa.String(length=5), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("added_at", Moment(timezone=True), nullable=False),
        sa.Column("retired_at", Moment(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("kind", "slug", name=op.f("pk_roster_slugs")),
    )
    op.create_table(
        "site_marks",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_site_marks")),
    )
    op.create_table(
        "takedown_requests",
        sa.Column("reference", sa.String(length=16), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("entry", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("contact", sa.String(length=200), nullable=False),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("address", sa.String(length=32), nullable=True),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("reference", name=op.f("pk_takedown_requests")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_takedown_requests_key_hash")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_takedown_requests_address_at"),
        "takedown_requests",
        ["address", "at"],
        unique=False,
    )
    op.create_table(
        "outlooks",
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("publication", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["publication"], ["publications.id"], name=op.f("fk_outlooks_publication")
        ),
        sa.PrimaryKeyConstraint("axis", name=op.f("pk_outlooks")),
    )
    op.create_table(
        "published_standings",
        sa.Column("publication", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("entry", sa.String(length=64), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("strength", sa.Double(), nullable=False),
        sa.Column("se", sa.Double(), nullable=True),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("lower", sa.Double(), nullable=False),
        sa.Column("upper", sa.Double(), nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("ties", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("rank_low", sa.Integer(), nullable=True),
        sa.Column("rank_high", sa.Integer(), nullable=True),
        sa.Column("tier", sa.String(length=1), nullable=True),
        sa.Column("tier_alternate", sa.String(length=1), nullable=True),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("floor", sa.Boolean(), nullable=True),
        sa.Column("ceiling", sa.Boolean(), nullable=True),
        sa.Column("beats_typical", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["publication"], ["publications.id"], name=op.f("fk_published_standings_publication")
        ),
        sa.PrimaryKeyConstraint("publication", "position", name=op.f("pk_published_standings")),
        sa.UniqueConstraint(
            "publication", "entry", name=op.f("uq_published_standings_publication_entry")
        ),
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_published_standings_entry"), "published_standings", ["entry"], unique=False
    )
    op.create_table(
        "retractions",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("ballot", sa.String(length=22), nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["ballot"], ["ballots.id"], name=op.f("fk_retractions_ballot")),
        sa.ForeignKeyConstraint(["number"], ["events.number"], name=op.f("fk_retractions_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_retractions")),
        sa.UniqueConstraint("ballot", name=op.f("uq_retractions_ballot")),
    )
    op.create_table(
        "takedown_decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("request", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.String(length=8), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["request"], ["takedown_requests.reference"], name=op.f("fk_takedown_decisions_request")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_takedown_decisions")),
    )
    op.create_index(
        op.f("ix_takedown_decisions_request"), "takedown_decisions", ["request"], unique=False
    )
    op.create_table(
        "votes",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("ballot", sa.String(length=22), nullable=False),
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("left", sa.String(length=64), nullable=False),
        sa.Column("right", sa.String(length=64), nullable=False),
        sa.Column("choice", sa.String(length=5), nullable=False),
        sa.Column("session", sa.String(length=32), nullable=False),
        sa.Column("address", sa.String(length=32), nullable=True),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["ballot"], ["ballots.id"], name=op.f("fk_votes_ballot")),
        sa.ForeignKeyConstraint(["number"], ["events.number"], name=op.f("fk_votes_number")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_votes")),
        sa.UniqueConstraint("ballot", name=op.f("uq_votes_ballot")),
        sa.CheckConstraint(
            "choice IN ('left', 'right', 'tie', 'skip')", name=op.f("ck_votes_choice")
        ),
        sa.CheckConstraint('"left" <> "right"', name=op.f("ck_votes_sides")),
    )
    op.create_index(op.f("ix_votes_address_at"), "votes", ["address", "at"], unique=False)
    op.create_index(op.f("ix_votes_session_axis"), "votes", ["session", "axis"], unique=False)
    op.create_table(
        "invalidations",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=False,
            nullable=False,
        ),
        sa.Column("vote", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", Moment(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["number"], ["events.number"], name=op.f("fk_invalidations_number")
        ),
        sa.ForeignKeyConstraint(["vote"], ["votes.number"], name=op.f("fk_invalidations_vote")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_invalidations")),
        sa.UniqueConstraint("vote", name=op.f("uq_invalidations_vote")),
    )
    for table, keys in APPEND_ONLY.items():
        for statement in protect(op.get_bind().dialect.name, table, keys):
            op.execute(statement)
    held_by = ("votes.ballot", "retractions.ballot")
    for statement in protect(op.get_bind().dialect.name, "ballots", [["id"]], held_by=held_by):
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("there is nothing before the first tables to go back to")
