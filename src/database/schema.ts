/**
 * The tables, as Kysely sees them. Ids are text, times are milliseconds since 1970, flags are
 * 0 or 1, bytes are Uint8Array: the same in SQLite and PostgreSQL.
 */
export interface Schema {
  workspace_connections: WorkspaceConnectionsTable
  installations: InstallationsTable
  workspace_settings: WorkspaceSettingsTable
  recent_utm: RecentUtmTable
  made_links: MadeLinksTable
  owners: OwnersTable
  domains: DomainsTable
  api_keys: ApiKeysTable
  links: LinksTable
  preview_images: PreviewImagesTable
  clicks: ClicksTable
  click_totals: ClickTotalsTable
  dashboard_passwords: DashboardPasswordsTable
  dashboard_tokens: DashboardTokensTable
  idempotent_answers: IdempotentAnswersTable
}

/** What the app keeps per Slack workspace (src/workspaces). */
export interface WorkspaceConnectionsTable {
  workspace_id: string
  /** The connection's JSON, encrypted (src/workspaces/keyring.ts). */
  sealed: Uint8Array
  /** The Slack user who connected it; null where it was provisioned without asking. */
  connected_by: string | null
  connected_at: number
}

/** Where the app was installed by OAuth (src/workspaces). */
export interface InstallationsTable {
  workspace_id: string
  /** Slack's installation with its tokens, as JSON, encrypted. */
  sealed: Uint8Array
  /** The Slack user who installed it. */
  installed_by: string | null
  installed_at: number
}

/** What a workspace's admins decided (src/workspaces/settings.ts). */
export interface WorkspaceSettingsTable {
  workspace_id: string
  /** JSON. */
  settings: string
  updated_by: string
  updated_at: number
}

/** The UTM values that a person used last. */
export interface RecentUtmTable {
  workspace_id: string
  user_id: string
  /** JSON: the parameters that were filled in. */
  utm: string
  used_at: number
}

/** The links that were made in Slack, kept so that they can be recognised there. */
export interface MadeLinksTable {
  workspace_id: string
  /** Without scheme, fragment and a slash at its end (src/workspaces/made-links.ts). */
  short_url: string
  destination_url: string
  title: string | null
  preview_title: string | null
  preview_description: string | null
  /** Where the link service shows the preview image, where it says so. */
  preview_image_url: string | null
  /** The Slack user who made it; null where no person did, but a workflow. */
  made_by: string | null
  made_at: number
}

/** Whose links, keys and domain records the link service keeps (src/service). */
export interface OwnersTable {
  id: string
  kind: 'organization' | 'account'
  name: string
  /** Who this is elsewhere, for example a Slack workspace; null where nobody else knows it. */
  external_id: string | null
  created_at: number
  /** Links that the owner may have at most; null: any number. */
  max_links: number | null
}

/** Domain records (spec §2.2). */
export interface DomainsTable {
  /** The record's `name`. */
  id: string
  /** Lower-case hostname; empty for the built-in record, which follows SERVICE_PUBLIC_URL. */
  domain_name: string
  /** Null: shared, every key may use it. */
  owner_id: string | null
  created_at: number
}

/** API keys (spec §2.3). A key's type is the kind of its owner. */
export interface ApiKeysTable {
  id: string
  owner_id: string
  name: string
  description: string | null
  /** SHA-256 of the key, hexadecimal. The key itself is nowhere. */
  hash: string
  /** The key's first characters, so that people recognise it. */
  prefix: string
  permissions: 'all' | 'read_only' | 'restricted'
  /** What a restricted key may do: a JSON list of scopes. */
  scopes: string
  /** The domain records that a restricted key is limited to: a JSON list; null: no limit. */
  domain_ids: string | null
  created_at: number
  revoked_at: number | null
  /** From when on the key is not valid any more; null: it does not end by itself. */
  expires_at: number | null
  /** To the minute; null: never used. */
  last_used_at: number | null
  /** Null: the service's usual limit. */
  requests_per_minute: number | null
}

/** Shortlinks. `utm_*`, `preview_*` and `qr_code_color` are kept whatever their flag says. */
export interface LinksTable {
  /** UUID version 7: sorts as links were made. */
  id: string
  owner_id: string
  domain_id: string
  /** The domain record's hostname, repeated here because back-halves are unique by hostname. */
  hostname: string
  back_half: string
  /** As it was given, without UTM parameters. */
  destination_url: string
  /** SHA-256 of the effective destination: what makes two links duplicates. */
  destination_hash: string
  title: string | null
  utm_analytics_enabled: number
  utm_source: string | null
  utm_medium: string | null
  utm_campaign: string | null
  utm_term: string | null
  utm_content: string | null
  utm_id: string | null
  is_custom_preview: number
  preview_title: string | null
  preview_description: string | null
  /** Media type of the row in preview_images; null where there is no image. */
  preview_image_type: string | null
  qr_code_enabled: number
  qr_code_color: string | null
  created_at: number
  updated_at: number
}

/** Images of custom previews, apart from the links so that lists don't read them. */
export interface PreviewImagesTable {
  link_id: string
  bytes: Uint8Array
}

/** How often a link was followed on a day. Who did it is kept nowhere. */
export interface ClicksTable {
  link_id: string
  /** In UTC, `YYYY-MM-DD`. */
  day: string
  people: number
  bots: number
}

/** A link's clicks of all days, kept so that lists need not add them up. */
export interface ClickTotalsTable {
  link_id: string
  people: number
}

/** The administrator's password: one row at most. */
export interface DashboardPasswordsTable {
  id: 'administrator'
  /** Salted and slow (src/service/dashboard/password.ts). */
  hash: string
  /** Wrong passwords since the last right one. */
  failures: number
  /** No password is tried before; 0: at once. */
  locked_until: number
}

/** Who is signed in to the dashboard, or may sign in once. */
export interface DashboardTokensTable {
  /** SHA-256 of the token, hexadecimal. */
  hash: string
  kind: 'session' | 'sign_in_link'
  expires_at: number
}

/** First answers to creates with an Idempotency-Key, kept for 24 hours. */
export interface IdempotentAnswersTable {
  api_key_id: string
  idempotency_key: string
  /** SHA-256 of the request's fields. */
  request_hash: string
  /** The answer's JSON, byte for byte. */
  answer: string
  created_at: number
}
