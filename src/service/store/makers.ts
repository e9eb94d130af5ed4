import { sql } from 'kysely'
import type { LinksTable } from '../../database/schema.ts'

/** The columns that say who created a link; null if that is unknown. */
export type LinkMaker = Pick<LinksTable, 'made_by' | 'person_id' | 'person_name'>

/** Who creates, changes or deletes a link: an API key, or the dashboard, and perhaps a person for whom its holder acts. */
export type Maker = LinkMaker & { made_by: string }

export const NOBODY: LinkMaker = { made_by: null, person_id: null, person_name: null }

/** The administrator. */
export const DASHBOARD: Maker = { made_by: 'dashboard', person_id: null, person_name: null }

/** SQL for the name of the key that made a row; null: the dashboard did, or it is unknown. */
export const KEY_NAME = sql<string | null>`(
  select name from api_keys where api_keys.id = made_by
)`.as('key_name')

/** A maker with the name of the key. */
export type NamedMaker = LinkMaker & { key_name: string | null }
