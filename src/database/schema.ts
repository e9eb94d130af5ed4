/**
 * The tables, as Kysely sees them. Ids are text, times are milliseconds since 1970, flags are
 * 0 or 1, bytes are Uint8Array: the same in SQLite and PostgreSQL.
 */
export interface Schema {
  workspace_connections: WorkspaceConnectionsTable
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
