import { sql } from 'kysely'
import { preparedRow } from '../../database/prepared.ts'
import type { Db, LinksTable } from '../../database/schema.ts'

type LinkCreator = Pick<LinksTable, 'made_by' | 'person_id' | 'person_name'>

/** Who creates or changes a link: `made_by` is the id of an API key, or `dashboard`. A key can act for a person. */
export type Creator = LinkCreator & { made_by: string }

export const NO_CREATOR: LinkCreator = { made_by: null, person_id: null, person_name: null }

export const DASHBOARD: Creator = { made_by: 'dashboard', person_id: null, person_name: null }

export const KEY_NAME = sql<string | null>`(
  select name from api_keys where api_keys.id = made_by
)`.as('key_name')

export async function findKeyName(db: Db, id: string | null): Promise<string | null> {
  return (await selectKeyName(db, id))?.name ?? null
}

const selectKeyName = preparedRow((db, id: string | null) =>
  db.selectFrom('api_keys').select('name').where('id', '=', id),
)

export type NamedCreator = LinkCreator & { key_name: string | null }
