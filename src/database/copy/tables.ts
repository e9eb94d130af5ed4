import type { Schema } from '../schema.ts'

/**
 * Every table of the schema, in an order in which rows refer only to rows of earlier tables. The type makes sure
 * that no table is forgotten.
 */
const COPIED_TABLES: Record<keyof Schema, true> = {
  owners: true,
  public_hosts: true,
  domains: true,
  api_keys: true,
  links: true,
  link_counts: true,
  click_totals: true,
  preview_images: true,
  clicks: true,
  referrers: true,
  link_history: true,
  idempotent_answers: true,
  dashboard_passwords: true,
  dashboard_tokens: true,
  installations: true,
  workspace_connections: true,
  workspace_settings: true,
  recent_utm: true,
  made_links: true,
  deliveries: true,
}

export const COPIED_NAMES = Object.keys(COPIED_TABLES) as (keyof Schema)[]

/** What PostgreSQL has besides. Kysely and a trigger of `links` fill it. */
export const DERIVED_TABLES = ['kysely_migration', 'kysely_migration_lock']
export const DERIVED_COLUMNS = ['sort_title', 'search_text']

/** A row's values, in the order of its table's columns in PostgreSQL. */
export type Values = readonly (string | number | Uint8Array | null)[]
