import { sql, type Kysely } from 'kysely'

/** Alerts about links, and what the link service has found at destinations. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table alerts (
    id text primary key,
    workspace_id text not null,
    created_by text not null,
    created_at bigint not null,
    alert text not null,
    memory text not null,
    check_at bigint not null
  )`,
  'create index alerts_workspace on alerts (workspace_id, created_at)',
  'create index alerts_check_at on alerts (check_at, workspace_id)',
  `create table destination_problems (
    link_id text primary key,
    destination_hash text not null,
    status text not null,
    reason text not null,
    failures integer not null,
    failed_at bigint not null,
    check_at bigint not null
  )`,
  'create index destination_problems_check_at on destination_problems (check_at)',
  `create index destination_problems_dead on destination_problems (link_id) where status = 'dead'`,
  `create table destination_walk (
    id integer primary key,
    held_by text not null,
    held_until bigint not null,
    at_link text not null,
    walked_at bigint not null
  )`,
]
