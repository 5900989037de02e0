"""What the choices of everybody lean to, counted up to a number of the log.

Revision 0003.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "crowds",
        sa.Column("axis", sa.String(length=64), nullable=False),
        sa.Column("up_to", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("axis", name=op.f("pk_crowds")),
    )


def downgrade() -> None:
    op.drop_table("crowds")
