"""The contents of the tables: of each how many rows, and a digest that doesn't depend on their order.

The digest is the sum of the first 64 bits of each row's MD5 as text, so that two servers of any version agree on it.
"""

from __future__ import annotations

from django.db import connection
from psycopg import sql

from diagnostics.archives.manifest import TableContent

# As texts of rows depend on them.
FORMS = "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL bytea_output = 'hex'; SET LOCAL intervalstyle = 'postgres'"
_NAMES = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT EXISTS (
    SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
ORDER BY c.relname
"""
_SUM = "coalesce(sum(('x' || left(md5(t::text), 16))::bit(64)::bigint), 0)"


def names() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_NAMES)
        return [name for (name,) in cursor.fetchall()]


def contents() -> dict[str, TableContent]:
    """Of the transaction at hand."""
    found = {}
    wanted = names()
    with connection.cursor() as cursor:
        cursor.execute(FORMS)
        for name in wanted:
            query = sql.SQL("SELECT count(*), ({sum})::text FROM public.{name} t").format(sum=sql.SQL(_SUM), name=sql.Identifier(name))
            cursor.execute(query.as_string(cursor.connection))
            rows, digest = cursor.fetchone()
            found[name] = TableContent(rows, digest)
    return found
