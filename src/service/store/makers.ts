import { sql, type Kysely } from 'kysely'
import { prepared } from '../../database/prepared.ts'
import type { LinksTable, Schema } from '../../database/schema.ts'

/** The columns that say who created a link; null if that is unknown. */
type LinkMaker = Pick<LinksTable, 'made_by' | 'person_id' | 'person_name'>

/** Who creates, changes or deletes a link: an API key, or the dashboard, and perhaps a person for whom its holder acts. */
export type Maker = LinkMaker & { made_by: string }

export const NO_MAKER: LinkMaker = { made_by: null, person_id: null, person_name: null }

/** The administrator. */
export const DASHBOARD: Maker = { made_by: 'dashboard', person_id: null, person_name: null }

/** SQL for the name of the key that made a row; null: the dashboard did, or it is unknown. */
export const KEY_NAME = sql<string | null>`(
  select name from api_keys where api_keys.id = made_by
)`.as('key_name')

/** The name of a key, even if it was revoked. Null if there is no such key. */
export async function findKeyName(db: Kysely<Schema>, id: string | null): Promise<string | null> {
  const [row] = await selectKeyName(db, { id })
  return row?.name ?? null
}

const selectKeyName = prepared((db, { id }: { id: string | null }) =>
  db.selectFrom('api_keys').select('name').where('id', '=', id),
)

export type NamedMaker = LinkMaker & { key_name: string | null }
