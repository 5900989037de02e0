"""What a publication's forecasts were worth on held-out votes, and the diagnostics of each axis.

Revision 0002.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "publications",
        sa.Column("held_out", sa.Text(), server_default="null", nullable=False),
    )
    op.create_table(
        "diagnoses",
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("publication", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["publication"], ["publications.id"], name=op.f("fk_diagnoses_publication")
        ),
        sa.PrimaryKeyConstraint("axis", name=op.f("pk_diagnoses")),
    )


def downgrade() -> None:
    op.drop_table("diagnoses")
    op.drop_column("publications", "held_out")
