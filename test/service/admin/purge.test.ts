import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { adminJson } from '../../support/admin.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addLinks, linkRow, ownerRow, removeLinks } from '../../support/rows.ts'
import { startService } from '../../support/service.ts'
import { DASHBOARD } from '../../../src/service/store/links.ts'
import { deleteLink, updateLink } from '../../../src/service/store/change-link.ts'

const DAY = 86_400_000
const NOW = Date.parse('2027-03-01T12:00:00Z')

describeOnEveryDatabase((opened) => {
  const purge = (...argv: string[]) =>
    adminJson({ databaseUrl: opened.url, now: () => NOW }, 'purge', ...argv)

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
    const organization = { kind: 'organization' as const }
    await db
      .insertInto('owners')
      .values(['acme', 'other'].map((id) => ({ ...ownerRow(id), ...organization })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    for (const ownerId of ['acme', 'other']) {
      const person = { person_id: 'U1', person_name: `name-of-${ownerId}` }
      await addLinks(
        opened.database,
        ...['deleted', 'changed'].map((name) =>
          linkRow(`${ownerId}-${name}`, {
            ...{ owner_id: ownerId, destination_url: `https://example.com/${ownerId}-${name}-0` },
            ...person,
          }),
        ),
      )
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
    try {
      const form = new FormData()
      form.set('destination_url', 'https://example.com/new')
      form.set('back_half', 'acme-deleted')
      form.set('domain', 'default')
      const created = await fetch(`${service.baseUrl}/api/v1/shortlinks/create_shortlink`, {
        method: 'POST',
        headers: { 'x-api-key': service.apiKey },
        body: form,
      })
      expect([created.status, await created.text()]).toEqual([409, expect.stringContaining('back')])
    } finally {
      await service.close()
    }
  })

  test('erases history that is old enough, also the newest change', async () => {
    await fill()
    const { db } = opened.database
    await purge('--history-days', '30', '--confirm', 'all')
    expect(isInFile('other-changed-0')).not.toBe(true)
    const kept = await db
      .selectFrom('link_history')
      .select('at')
      .where('at', '<', NOW - 5 * DAY)
      .execute()
    expect(kept).toEqual([{ at: NOW - 10 * DAY }, { at: NOW - 10 * DAY }])
    const [last] = await db.selectFrom('link_history').select('id').orderBy('id', 'desc').execute()
    await adminJson(
      { databaseUrl: opened.url, now: () => NOW + 50 * DAY },
      'purge',
      '--history-days',
      '30',
      '--confirm',
      'all',
    )
    expect(
      await db.selectFrom('link_history').select(['id', 'changes', 'person_name']).execute(),
    ).toEqual([{ id: last?.id, changes: '{}', person_name: null }])
    expect(await db.selectFrom('link_destinations').selectAll().execute()).toEqual([])
  })

  test('asks for a confirmation', async () => {
    await expect(purge('--org', 'acme')).rejects.toThrow("--confirm 'acme'")
    await expect(purge()).rejects.toThrow("--confirm 'all'")
    await expect(purge('--org', 'acme', '--confirm', 'all')).rejects.toThrow("--confirm 'acme'")
  })
})
