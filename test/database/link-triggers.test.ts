import { expect, onTestFinished, test } from 'vitest'
import { countLinks } from '../../src/service/store/link-filter.ts'
import { searchLinks, type LinkSort } from '../../src/service/store/link-search.ts'
import { createAddresses } from '../../src/service/store/addresses.ts'
import { describeOnEveryDatabase } from '../support/databases.ts'
import { addDomainRecord, addLinks, addOwners, linkRow, removeLinks } from '../support/rows.ts'

describeOnEveryDatabase((opened) => {
  async function openWithLinks() {
    const { db } = opened.database
    onTestFinished(() => removeLinks(opened.database))
    await addOwners(opened.database, 'acme')
    for (const [at, back_half] of ['Spring', 'Autumn', 'Winter'].entries()) {
      await addLinks(opened.database, linkRow(`${at}`, { back_half, title: `${back_half} sale` }))
    }
    await addDomainRecord(opened.database, 'second')
    const find = async (text: string, sort: LinkSort = 'newest') => {
      const addresses = createAddresses('https://sho.rt')
      const context = { ...opened.database, addresses, now: Date.now }
      const { links } = await searchLinks(context, { reach: 'all', text, sort, page: 1 })
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

  test('counts, lists and searches leave out a deleted link, and a moved one counts on its new domain', async () => {
    const { db, find, change } = await openWithLinks()
    await change('Autumn', { deleted_at: 1 })
    expect(await countLinks(db, {})).toBe(2)
    expect(await find('sale')).toEqual(['Winter sale', 'Spring sale'])
    for (const sort of ['newest', 'oldest', 'clicks', 'title'] as const) {
      expect((await find('', sort)).toSorted()).toEqual(['Spring sale', 'Winter sale'])
    }
    await change('Autumn', { title: 'Autumn sale, still deleted' })
    expect(await find('sale')).toHaveLength(2)
    await change('Winter', { domain_id: 'second', hostname: 'second.example' })
    expect(await countLinks(db, { ownerId: 'acme', domainIds: ['default'] })).toBe(1)
    expect(await countLinks(db, { ownerId: 'acme', domainIds: ['second'] })).toBe(1)
  })

  test('an earlier short URL of a link is not counted, listed or found', async () => {
    const { db, find } = await openWithLinks()
    const row = linkRow('earlier', { back_half: 'Winter-2025', deleted_at: 1, alias_of: '2' })
    await addLinks(opened.database, { ...row, title: 'Winter sale' })
    expect(await countLinks(db, {})).toBe(3)
    expect(await find('Winter sale')).toEqual(['Winter sale'])
    expect(await find('')).toHaveLength(3)
    await db.deleteFrom('links').where('id', '=', 'earlier').execute()
    expect(await countLinks(db, {})).toBe(3)
  })
})
