import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { defineWrite } from './write.ts'

/** Longer than all texts of a link, so that no create needs more room on the disk. */
const TEXT = 'x'.repeat(16_384)

/**
 * Checks that links can be created, by creating one and removing it. An update of one row would succeed on a full disk,
 * or with broken functions.
 */
export const tryCreate = defineWrite(async function tryCreate(transaction) {
  const id = uuid()
  // Contains a space, so that it is no link's back-half.
  const backHalf = ` ${id}`
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
