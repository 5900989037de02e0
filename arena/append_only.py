"""Tables that the database itself refuses to change: the statements for both databases.

The refusal is in the database and not in the code, so that no path through the code, no console
and no script can alter what was recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

SAYS = "{table} is append-only: its rows are never changed"


def protect(
    dialect: str, table: str, keys: Sequence[Sequence[str]], *, held_by: Sequence[str] | None = None
) -> Iterator[str]:
    """Statements that make a table append-only.

    Parameters
    ----------
    dialect : "sqlite" or "postgresql".
    table : name of the table.
    keys : sets of columns that are unique together. SQLite's `INSERT OR REPLACE` deletes the row
        that is in its way without asking a delete trigger, so an insert is checked too. A table
        whose key is not one INTEGER must have no other row number to be replaced by: WITHOUT ROWID.
    held_by : where given, a row may be deleted whole, but never changed, while no foreign key of
        these (written ``table.column``) refers to it. PostgreSQL always sees to that; SQLite only
        on connections that ask for it.
    """
    deletable = held_by is not None
    says = SAYS.format(table=table)
    if dialect == "postgresql":
        yield (
            f"CREATE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN RAISE EXCEPTION '{says}'; END $$"
        )
        for name, events, level in (
            ("row", "UPDATE" if deletable else "UPDATE OR DELETE", "ROW"),
            ("all", "TRUNCATE", "STATEMENT"),
        ):
            yield (
                f"CREATE TRIGGER {table}_append_only_{name} BEFORE {events} ON {table}"
                f" FOR EACH {level} EXECUTE FUNCTION {table}_is_append_only()"
            )
        return
    for event in ("UPDATE",) if deletable else ("UPDATE", "DELETE"):
        yield (
            f"CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table}"
            f" BEGIN SELECT RAISE(ABORT, '{says}'); END"
        )
    for reference in held_by or ():
        child, column = reference.split(".")
        yield (
            f"CREATE TRIGGER {table}_held_by_{child} BEFORE DELETE ON {table}"
            f" WHEN EXISTS (SELECT 1 FROM {child} WHERE {column} = OLD.{keys[0][0]})"
            f" BEGIN SELECT RAISE(ABORT, '{table}: {child} refers to this row'); END"
        )
    taken = " OR ".join(
        "(" + " AND ".join(f"{column} = NEW.{column}" for column in key) + ")" for key in keys
    )
    yield (
        f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}"
        f" WHEN EXISTS (SELECT 1 FROM {table} WHERE {taken})"
        f" BEGIN SELECT RAISE(ABORT, '{says}'); END"
    )
