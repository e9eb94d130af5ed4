import type { Schema } from '../schema.ts'

/** How the rows of a table are copied. */
export interface CopiedTable {
  /** SQL conditions that split the rows. Rows of a later part may refer to those of an earlier one. */
  readonly parts?: readonly string[]
  /** Whether migrations or triggers add some of the rows in the new database, so that ours replace them. */
  readonly replaces?: boolean
  /** How many rows are sent or read at once, if a row may be large. */
  readonly batch?: number
}

/**
 * Every table of the schema, in an order in which rows refer only to rows of earlier tables. The type makes sure
 * that no table is forgotten.
 */
export const COPIED_TABLES = {
  owners: {},
  public_hosts: {},
  domains: { replaces: true },
  api_keys: {},
  links: { parts: ['alias_of is null', 'alias_of is not null'] },
  link_counts: { replaces: true },
  click_totals: { replaces: true },
  preview_images: { batch: 4 },
  clicks: {},
  referrers: {},
  link_history: {},
  idempotent_answers: {},
  dashboard_passwords: {},
  dashboard_tokens: {},
  installations: {},
  workspace_connections: {},
  workspace_settings: {},
  recent_utm: {},
  made_links: {},
  deliveries: {},
} as const satisfies Record<keyof Schema, CopiedTable>

export const COPIED_NAMES = Object.keys(COPIED_TABLES) as (keyof Schema)[]

/** What PostgreSQL has besides, and what our triggers and migrations fill. */
export const DERIVED_COLUMNS = ['sort_title', 'search_text']
export const DERIVED_TABLES = ['kysely_migration', 'kysely_migration_lock']

/** How many rows are sent or read at once. */
export const BATCH = 1_000

/** A row's values, in the order of its table's columns in PostgreSQL. */
export type Values = readonly (string | number | Uint8Array | null)[]

/** The data can't be copied. The message explains why, and is shown to the user. */
export class CopyError extends Error {
  override readonly name = 'CopyError'
}
