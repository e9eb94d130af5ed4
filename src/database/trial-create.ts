import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { defineWrite } from './write.ts'

// Longer than all texts of a link together, so that no other link needs more room on the disk.
const TEXT = 'x'.repeat(16_384)

/**
 * Checks that links can be created, by creating a link and removing it. A smaller check, such as an update of one row,
 * would succeed even if the disk is full or a trigger is broken.
 */
export const tryCreate = defineWrite(async function tryCreate(transaction) {
  const id = uuid()
  const backHalf = ` ${id}` // No link's back-half contains a space, so this one is free.
  for (const statement of [
    sql`insert into owners (id, kind, name, created_at) values (${id}, 'account', 'trial', 0)`,
    sql`insert into links (id, owner_id, domain_id, hostname, back_half, destination_url, destination_hash, title,
        utm_analytics_enabled, is_custom_preview, qr_code_enabled, created_at, updated_at)
      values (${id}, ${id}, 'default', '', ${backHalf}, 'https://trial.example/', ${id}, ${TEXT}, 0, 0, 0, 0, 0)`,
    sql`delete from click_totals where link_id = ${id}`,
    sql`delete from links where id = ${id}`,
    sql`delete from link_counts where owner_id = ${id}`,
    sql`delete from owners where id = ${id}`,
  ]) {
    await statement.execute(transaction)
  }
})
