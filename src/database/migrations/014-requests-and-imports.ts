import { sql, type Kysely } from 'kysely'

/** Links that wait for approval, links from a file, and the destinations that an API key or a workspace allows. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table link_approvals (
    id text primary key,
    workspace_id text not null,
    requested_by text not null,
    created_at bigint not null,
    draft text not null,
    taken_until bigint not null
  )`,
  'create index link_approvals_workspace on link_approvals (workspace_id, requested_by)',
  'create index link_approvals_created_at on link_approvals (created_at)',
  `create table imports (
    id text primary key,
    workspace_id text not null,
    created_by text not null,
    created_at bigint not null,
    file_name text not null,
    message text not null,
    state text not null,
    run_at bigint not null
  )`,
  'create index imports_run_at on imports (run_at)',
  'create index imports_workspace on imports (workspace_id)',
  `create table import_rows (
    import_id text not null,
    number integer not null,
    workspace_id text not null,
    draft text not null,
    outcome text,
    primary key (import_id, number)
  )`,
  'create index import_rows_workspace on import_rows (workspace_id)',
  'alter table api_keys add column destinations text',
  'alter table dashboard_tokens add column allowed_hosts text',
]
