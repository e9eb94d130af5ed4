import { expect, onTestFinished, test } from 'vitest'
import { countLinks } from '../../src/service/store/links.ts'
import { searchLinks, type LinkSort } from '../../src/service/store/link-search.ts'
import { createAddresses } from '../../src/service/store/addresses.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { postForm } from '../support/service-calls.ts'
import { startService } from '../support/service.ts'

describeOnEveryDatabase((opened) => {
  async function openWithLinks() {
    const service = await startService({ databaseUrl: opened.url })
    const { db } = opened.database
    onTestFinished(async () => {
      await service.close()
      await db.deleteFrom('click_totals').execute()
      await db.deleteFrom('links').where('alias_of', 'is not', null).execute()
      await db.deleteFrom('links').execute()
    })
    for (const title of ['Spring sale', 'Autumn sale', 'Winter sale']) {
      const back_half = title.split(' ')[0] ?? ''
      const destination_url = `https://example.com/${back_half}`
      await postForm(service, { destination_url, domain: 'default', title, back_half })
    }
    await db
      .insertInto('domains')
      .values({ id: 'second', domain_name: 'go.example.com', owner_id: null, created_at: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const find = async (text: string, sort: LinkSort = 'newest') => {
      const context = {
        ...opened.database,
        addresses: createAddresses('https://sho.rt'),
        now: Date.now,
      }
      const { links } = await searchLinks(context, { text, sort, page: 1 })
      return links.map(({ title }) => title)
    }
    const change = (backHalf: string, values: object) =>
      db.updateTable('links').set(values).where('back_half', '=', backHalf).execute()
    return { db, find, change }
  }

  test('searches find the new texts of a changed link, in the order of creation', async () => {
    const { find, change } = await openWithLinks()
    await change('Spring', { title: 'Summer sale', back_half: 'Summer' })
    expect(await find('Spring sale')).toEqual([])
    expect(await find('/Summer')).toEqual(['Summer sale'])
    expect(await find('sale')).toEqual(['Winter sale', 'Autumn sale', 'Summer sale'])
  })

  test('counts, lists and searches leave out a deleted link', async () => {
    const { db, find, change } = await openWithLinks()
    await change('Autumn', { deleted_at: 1 })
    expect(await countLinks(db, {})).toBe(2)
    expect(await find('sale')).toEqual(['Winter sale', 'Spring sale'])
    for (const sort of ['newest', 'oldest', 'clicks', 'title'] as const) {
      expect((await find('', sort)).toSorted()).toEqual(['Spring sale', 'Winter sale'])
    }
    await change('Autumn', { title: 'Autumn sale, still deleted' })
    expect(await find('sale')).toHaveLength(2)
  })

  test('counts a moved link on its new domain', async () => {
    const { db, change } = await openWithLinks()
    await change('Winter', { domain_id: 'second', hostname: 'go.example.com' })
    const { owner_id: ownerId } = await db
      .selectFrom('links')
      .select('owner_id')
      .where('back_half', '=', 'Winter')
      .executeTakeFirstOrThrow()
    expect(await countLinks(db, { ownerId, domainIds: ['default'] })).toBe(2)
    expect(await countLinks(db, { ownerId, domainIds: ['second'] })).toBe(1)
  })

  test('an earlier short URL of a link is not counted, listed or found', async () => {
    const { db, find } = await openWithLinks()
    const link = await db
      .selectFrom('links')
      .selectAll()
      .where('back_half', '=', 'Winter')
      .executeTakeFirstOrThrow()
    const earlier = {
      id: 'earlier',
      back_half: 'Winter-2025',
      destination_hash: 'released:earlier',
    }
    await db
      .insertInto('links')
      .values({ ...link, ...earlier, deleted_at: 1, alias_of: link.id })
      .execute()
    expect(await countLinks(db, {})).toBe(3)
    expect(await find('Winter sale')).toEqual(['Winter sale'])
    expect(await find('')).toHaveLength(3)
    await db.deleteFrom('links').where('id', '=', 'earlier').execute()
    expect(await countLinks(db, {})).toBe(3)
  })
})
