import { readFileSync } from 'node:fs'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { adminJson } from '../../support/admin.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addLinks, addOwners, linkRow, removeLinks } from '../../support/rows.ts'
import { codeIn, create } from '../../support/service-calls.ts'
import { startService } from '../../support/service.ts'
import { DASHBOARD } from '../../../src/service/store/links.ts'
import { deleteLink, updateLink } from '../../../src/service/store/change-link.ts'

const DAY = 86_400_000
const NOW = Date.parse('2027-03-01T12:00:00Z')

let now = NOW
beforeEach(() => void (now = NOW))

describeOnEveryDatabase((opened) => {
  const purge = (...argv: string[]) =>
    adminJson({ databaseUrl: opened.url, now: () => now }, 'purge', ...argv)

  /** Whether a text is anywhere in the SQLite file or its log; undefined for PostgreSQL. */
  const isInFile = (text: string): boolean | undefined =>
    opened.database.kind === 'postgres'
      ? undefined
      : ['', '-wal'].some((end) =>
          readFileSync(opened.url.slice('file:'.length) + end).includes(text),
        )

  /** Two owners. Each has a deleted link, and a link that led elsewhere 100 days ago and 10 days ago. */
  async function fill(): Promise<void> {
    const { db, write } = opened.database
    await removeLinks(opened.database)
    await addOwners(opened.database, 'acme', 'other')
    await db.updateTable('owners').set({ kind: 'organization' }).execute()
    for (const ownerId of ['acme', 'other']) {
      const person = { person_id: 'U1', person_name: `name-of-${ownerId}` }
      for (const id of [`${ownerId}-deleted`, `${ownerId}-changed`]) {
        const destination_url = `https://example.com/${id}-0`
        const link = linkRow(id, { owner_id: ownerId, destination_url, ...person })
        await addLinks(opened.database, link)
      }
      const creator = { ...DASHBOARD, ...person }
      const target = (name: string) => ({ ownerId, linkId: `${ownerId}-${name}`, creator })
      for (const [number, days] of [100, 10].entries()) {
        const fields = { destination_url: `https://example.com/${ownerId}-changed-${number + 1}` }
        await write(updateLink(target('changed'), { fields }, NOW - days * DAY), ownerId)
      }
      await write(deleteLink(target('deleted'), NOW - DAY), ownerId)
    }
  }

  test('erases an owner’s deleted links, and keeps their short URLs reserved', async () => {
    await fill()
    const { db } = opened.database
    expect(isInFile('acme-deleted-0')).not.toBe(false)
    await purge('--org', 'acme', '--confirm', 'acme')
    expect(isInFile('acme-deleted-0')).not.toBe(true)
    expect(isInFile('other-deleted-0')).not.toBe(false)
    const destinations = await db.selectFrom('link_destinations').select('link_id').execute()
    expect(destinations.map(({ link_id }) => link_id).sort()).toEqual(
      ['acme-changed', 'acme-changed', 'other-changed', 'other-changed', 'other-deleted'].sort(),
    )
    const deleted = db.selectFrom('links').select(['back_half', 'person_name'])
    expect(await deleted.where('id', '=', 'acme-deleted').execute()).toEqual([
      { back_half: 'acme-deleted', person_name: null },
    ])
    const named = db.selectFrom('link_history').select('id').where('person_name', 'is not', null)
    expect(await named.where('link_id', '=', 'acme-deleted').execute()).toEqual([])
    expect(await named.where('link_id', '=', 'acme-changed').execute()).toHaveLength(2)
    const service = await startService({ databaseUrl: opened.url })
    onTestFinished(() => service.close())
    const again = await create(service, { back_half: 'acme-deleted' })
    expect(codeIn(again)).toBe('409 BACK_HALF_CONFLICT')
  })

  test('erases history that is old enough, also the newest change', async () => {
    await fill()
    const { db } = opened.database
    await purge('--history-days', '30', '--confirm', 'all')
    expect(isInFile('other-changed-0')).not.toBe(true)
    const history = db.selectFrom('link_history').select(['id', 'at', 'changes', 'person_name'])
    const kept = await history.where('at', '<', NOW - 5 * DAY).execute()
    expect(kept.map(({ at }) => at)).toEqual([NOW - 10 * DAY, NOW - 10 * DAY])
    const [last] = await history.orderBy('id', 'desc').execute()
    now += 50 * DAY
    await purge('--history-days', '30', '--confirm', 'all')
    expect(await history.execute()).toMatchObject([
      { id: last?.id, changes: '{}', person_name: null },
    ])
    expect(await db.selectFrom('link_destinations').selectAll().execute()).toEqual([])
  })

  test('asks for a confirmation', async () => {
    await expect(purge('--org', 'acme')).rejects.toThrow("--confirm 'acme'")
    await expect(purge()).rejects.toThrow("--confirm 'all'")
    await expect(purge('--org', 'acme', '--confirm', 'all')).rejects.toThrow("--confirm 'acme'")
  })
})
