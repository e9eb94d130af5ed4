import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** Records a backup for the service's metrics. Without `createdAt`, it failed. @returns how many in a row have failed */
export async function recordBackup(db: Db, createdAt?: number): Promise<number> {
  // deploy/backup-compose does the same.
  const { rows } = await sql<{ failures: number }>`
    insert into backups (id, made_at, failures) values (1, ${createdAt ?? null}, ${createdAt ? 0 : 1})
    on conflict (id) do update set made_at = coalesce(excluded.made_at, backups.made_at),
      failures = (backups.failures + 1) * excluded.failures returning failures`.execute(db)
  return rows[0]?.failures ?? 0
}
