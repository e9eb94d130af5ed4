import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { searchLinks } from '../../../src/service/store/link-search.ts'
import { selectLinks } from '../../../src/service/store/link-list.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addLinks, addOwners, linkRow } from '../../support/rows.ts'

describeOnEveryDatabase((opened) => {
  test('links that are created between the count and the page don’t shift a page near the end', async () => {
    const { database } = opened
    await addOwners(database, 'acme')
    let links = 0
    const next = () => {
      const id = String(links++).padStart(5, '0')
      return linkRow(id, { created_at: links, updated_at: links })
    }
    const add = (count: number) => addLinks(database, ...Array.from({ length: count }, next))
    await add(110)
    const creating: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await add(7)
        return result
      },
    }
    const longReads = database.longReads.withPlugin(creating)
    const ids = (first: number, count: number) =>
      Array.from({ length: count }, (_, at) => String(first + at).padStart(5, '0'))
    const order = { sort_by: 'created_at', order: 'asc' } as const
    const list = { per_page: 10, ...order }
    const { db, write, kind } = database
    const addresses = createAddresses('https://go.example')
    const eraseDeleted = () => database.eraseDeleted()
    const context = { db, eraseDeleted, write, kind, longReads, addresses, now: Date.now }
    for (const page of [2, 9, 10, 11]) {
      const { rows } = await selectLinks(context, { ...list, page }, { ownerId: 'acme' })
      expect(rows.map(({ id }) => id)).toEqual(ids((page - 1) * 10, 10))
    }
    for (const page of [2, 3, 4]) {
      const found = await searchLinks(context, { reach: 'all', text: '', sort: 'oldest', page })
      expect(found.links.map(({ id }) => id)).toEqual(ids((page - 1) * 25, 25))
    }
  })
})
