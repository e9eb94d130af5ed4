import { sql } from 'kysely'
import { isPostgres } from '../../src/database/dialects.ts'
import { openExistingDatabase } from '../../src/database/existing-database.ts'
import type { Db } from '../../src/database/schema.ts'

type Row = Record<string, unknown>

const OF_SQLITE = {
  tables: `select name, type, wr, strict from pragma_table_list where schema = 'main' order by name`,
  columns: `select tables.name as tbl, columns.* from pragma_table_list as tables,
    pragma_table_xinfo(tables.name) as columns where tables.schema = 'main' order by tbl, cid`,
  references: `select tables.name as tbl, "from", "table", "to", on_delete from pragma_table_list as tables,
    pragma_foreign_key_list(tables.name) where tables.schema = 'main' order by 1, 2`,
  keys: `select tables.name as tbl, group_concat(columns.name) as columns from pragma_table_list as tables,
    pragma_index_list(tables.name) as keys, pragma_index_xinfo(keys.name) as columns
    where tables.schema = 'main' and keys.origin <> 'c' and columns.key group by tables.name, keys.name order by 1, 2`,
  // SQLite stores the text of CREATE TABLE, and changes that text when a column is added later.
  texts: `select name, sql as text from sqlite_master
    where type <> 'table' or sql like 'create virtual%' order by name, type`,
}

const OF_POSTGRES = {
  columns: `select relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
      pg_get_expr(adbin, adrelid) as value
    from pg_attribute join pg_class on pg_class.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    order by relname, attname`,
  constraints: `select conname, pg_get_constraintdef(oid) as text from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`,
  indexes: `select indexdef as text from pg_indexes where schemaname = 'public' order by 1`,
  triggers: `select pg_get_triggerdef(oid) as text, tgenabled from pg_trigger where not tgisinternal order by 1`,
  functions: `select pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') order by 1`,
  extensions: `select extname from pg_extension order by 1`,
}

/** What the schema of a database consists of, so that schemas can be compared. */
export async function schemaOf(url: string): Promise<Record<string, Row[]>> {
  return withDatabase(url, async (db) => {
    const found: [string, Row[]][] = []
    for (const [part, text] of Object.entries(isPostgres(db) ? OF_POSTGRES : OF_SQLITE)) {
      const { rows } = await sql.raw<Row>(text).execute(db)
      found.push([part, rows.map((row) => ({ ...row, text: normalized(row.text) }))])
    }
    return Object.fromEntries(found)
  })
}

/** The statement without differences of layout and quoting. */
function normalized(text: unknown): unknown {
  return typeof text === 'string' ? text.replaceAll('"', '').replaceAll(/\s+/g, ' ').trim() : text
}

/** All rows by table, in an order that doesn't depend on the database. */
export async function rowsOf(url: string): Promise<Map<string, Row[]>> {
  return withDatabase(url, async (db) => {
    const found = new Map<string, Row[]>()
    for (const { name } of await db.introspection.getTables({ withInternalKyselyTables: true })) {
      const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(db)
      found.set(
        name,
        rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
      )
    }
    return found
  })
}

async function withDatabase<T>(url: string, read: (db: Db) => Promise<T>): Promise<T> {
  const db = openExistingDatabase(url)
  if (!db) throw new Error(`there is no database at ${url}`)
  try {
    return await read(db)
  } finally {
    await db.destroy()
  }
}
