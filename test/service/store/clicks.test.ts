import { expect, test } from 'vitest'
import { deleteLink } from '../../../src/service/store/change-link.ts'
import { DASHBOARD } from '../../../src/service/store/links.ts'
import { addClicks, countClicks } from '../../../src/service/store/clicks.ts'
import { describeOnEveryDatabase, type TestDatabase } from '../../support/databases.ts'
import { addLinks, addOwners, linkRow, removeLinks } from '../../support/rows.ts'

describeOnEveryDatabase((opened) => {
  test('adds up the clicks of many days', async () => {
    const { db } = opened.database
    const [id] = await twoLinks(opened)
    const rows = Array.from({ length: 200 }, (_, at) => ({
      link_id: id,
      day: new Date(at * 86_400_000).toISOString().slice(0, 10),
      people: 2,
      bots: 1,
    }))
    await opened.database.write(addClicks(rows))
    await opened.database.write(addClicks(rows.slice(-1)))
    expect(await countClicks(db, id)).toBe(402)
    expect(await countClicks(db, 'unknown')).toBe(0)
    const last = await db.selectFrom('clicks').selectAll().orderBy('day', 'desc').limit(2).execute()
    expect(last).toEqual([
      { link_id: id, day: '1970-07-19', people: 4, bots: 2 },
      { link_id: id, day: '1970-07-18', people: 2, bots: 1 },
    ])
  })

  test('drops clicks on deleted and unknown links, and writes the others', async () => {
    const { db } = opened.database
    const [kept, deleted] = await twoLinks(opened)
    await db.updateTable('links').set({ deleted_at: 1 }).where('id', '=', deleted).execute()
    const click = { day: '2027-03-01', people: 1, bots: 1, hosts: new Map([['news.example', 1]]) }
    const clicked = [kept, deleted, 'unknown'].map((link_id) => ({ link_id, ...click }))
    await opened.database.write(addClicks(clicked))
    const written = await Promise.all(
      (['clicks', 'click_totals', 'referrers'] as const).map((table) =>
        db.selectFrom(table).select(['link_id', 'people']).execute(),
      ),
    )
    expect(written).toEqual(written.map(() => [{ link_id: kept, people: 1 }]))
    await opened.database.write(addClicks(clicked.slice(1)))
    expect(await countClicks(db, kept)).toBe(1)
    expect(await countClicks(db, deleted)).toBe(0)
  })

  test('makes no rows for a link that is deleted at the same time', async () => {
    const { db } = opened.database
    const ids = await twoLinks(opened)
    const clicks = ids.map((link_id) => ({ link_id, day: '2027-03-01', people: 1, bots: 0 }))
    const writes = ids.flatMap((linkId) => [
      opened.database.write(deleteLink({ linkId, ownerId: 'acme', creator: DASHBOARD }, 1)),
      opened.database.write(addClicks(clicks)),
    ])
    await Promise.all(writes)
    for (const table of ['clicks', 'click_totals'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
  })
})

/** Creates two links in a database without others. */
async function twoLinks({ database }: TestDatabase): Promise<['first', 'second']> {
  await removeLinks(database)
  await addOwners(database, 'acme')
  await addLinks(database, linkRow('first'), linkRow('second'))
  return ['first', 'second']
}
