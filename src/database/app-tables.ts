import type { Generated } from 'kysely'

/** The tables that the Slack app writes. */
export interface AppTables {
  workspace_connections: {
    workspace_id: string
    sealed: Uint8Array
    /** The Slack user who connected it; null if it was provisioned automatically. */
    connected_by: string | null
    connected_at: number
    /** When an admin was told that the key no longer works (src/workspaces/key-notices.ts). Null means not yet. */
    key_notice_after: number | null
  }

  installations: {
    workspace_id: string
    sealed: Uint8Array
    installed_by: string | null
    installed_at: number
  }

  workspace_settings: {
    workspace_id: string
    settings: string
    updated_by: string
    updated_at: number
    /** When the weekly report is sent next, or tried again; null: the workspace has none. */
    report_at: Generated<number | null>
  }

  recent_utm: { workspace_id: string; user_id: string; utm: string; used_at: number }

  /** The links that were created in Slack, so that they can be recognized when they are posted. */
  made_links: {
    workspace_id: string
    /** Without the scheme, the fragment and a trailing slash (src/workspaces/created-links.ts). */
    short_url: string
    destination_url: string
    title: string | null
    preview_title: string | null
    preview_description: string | null
    preview_image_url: string | null
    /** The Slack user who created it; null if a workflow did. */
    made_by: string | null
    made_at: number
    link_name: string
    expires_at: number | null
    /** `http` if the short URL is not https; null: https. */
    scheme: 'http' | null
    /** 1: an earlier short URL of a link that has another row. */
    superseded: number
    /** When to check next whether to remind its creator that it expires; null: never. */
    remind_at: number | null
  }

  /** Alerts that users have set. Each sends a message when something happens to a link (src/workspaces/alerts.ts). */
  alerts: {
    id: string
    workspace_id: string
    created_by: string
    created_at: number
    alert: string
    memory: string
    check_at: number
  }

  /** Links that wait until an approver allows their destination (src/workspaces/link-approvals.ts). */
  link_approvals: {
    id: string
    workspace_id: string
    requested_by: string
    created_at: number
    draft: string
    /** Until when no one else can decide, because an approver is deciding; 0: no one is. */
    taken_until: number
  }

  /** Files of links that are imported in Slack (src/workspaces/imports.ts), until their result has been sent. */
  imports: {
    id: string
    workspace_id: string
    created_by: string
    created_at: number
    file_name: string
    /** The message that shows the progress, as JSON. */
    message: string
    /** `waiting`: until `run_at`, because the link service asks for that. */
    state: 'running' | 'waiting' | 'stopped'
    /** From when a process can take it. The process that works on it keeps moving this two minutes ahead. */
    run_at: number
  }

  import_rows: {
    import_id: string
    number: number
    workspace_id: string
    draft: string
    /** JSON. Null until the row is imported. */
    outcome: string | null
  }

  /** Work that one process of the app does, such as sharing a link (src/workspaces/deliveries.ts). */
  deliveries: {
    /** SHA-256 of the work's key, in hexadecimal. */
    id: string
    claimed_by: string
    alive_at: number
  }

  /** Only version 1.0.0 writes it. The next release removes it. */
  home_tabs: { workspace_id: string; user_id: string }
}
