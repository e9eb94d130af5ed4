import type { Kysely } from 'kysely'

/** Whether a workspace's admins were told that the link service no longer accepts the workspace's key. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('workspace_connections')
    .addColumn('key_notice_after', 'bigint')
    .execute()
}
