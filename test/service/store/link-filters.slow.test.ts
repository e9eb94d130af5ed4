import { expect, test } from 'vitest'
import { indexAll } from '../../../src/service/store/link-indexer.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import type { LinkFilter } from '../../../src/service/store/link-filter.ts'
import { findMatches } from '../../../src/service/store/link-matches.ts'
import { searchLinks, type LinkSort } from '../../../src/service/store/link-search.ts'
import type { LinkRow } from '../../../src/service/store/links.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addDomainRecord, addLinks, addOwners, linkRow } from '../../support/rows.ts'

const NOW = 1_000

/** More links than a search compares. */
const MANY = 10_050

describeOnEveryDatabase((opened) => {
  const context = () => ({
    ...opened.database,
    addresses: createAddresses('https://go.example.com'),
    now: () => NOW,
  })

  const addMany = (count: number, values: (at: number) => Partial<LinkRow> & { id: string }) =>
    addLinks(
      opened.database,
      ...Array.from({ length: count }, (_, at) => {
        const row = { created_at: at, updated_at: at, ...values(at) }
        return linkRow(row.id, row)
      }),
    )

  const change = (numbers: number[], values: object) => {
    const ids = numbers.map((number) => `0000000${number}`)
    return opened.database.db.updateTable('links').set(values).where('id', 'in', ids).execute()
  }

  async function addNine(): Promise<void> {
    await addOwners(opened.database, 'acme', 'other')
    await addDomainRecord(opened.database, 'second')
    await addMany(9, (at) => ({
      id: `0000000${at}`,
      back_half: `link${at}`,
      title: `Sale ${9 - at}`,
      owner_id: at % 2 === 0 ? 'acme' : 'other',
      ...(at >= 4 && { domain_id: 'second', hostname: 'second.example' }),
    }))
    await change([1, 4], { enabled: 0 })
    await change([2, 4], { expires_at: NOW })
    await change([3], { expires_at: NOW + 1 })
    await change([8], { deleted_at: NOW, title: null, destination_url: '' })
    await change([7], { deleted_at: NOW, alias_of: '00000006' })
    await change([0], { domain_id: 'second', hostname: 'second.example' })
  }

  test('finds links by owner, domain and state, with and without a text', async () => {
    await addNine()
    const found = async (text: string, filter: LinkFilter, sort: LinkSort = 'newest') => {
      const query = { reach: 'all', text, filter, sort, page: 1 } as const
      const { links, total, hasMore } = await searchLinks(context(), query)
      expect({ total, hasMore }).toEqual({ total: links.length, hasMore: false })
      return links.map(({ back_half }) => back_half.slice(4)).join('')
    }
    for (const text of ['', 'sale']) {
      expect(await found(text, {})).toBe('6543210')
      for (const sort of ['newest', 'title', 'clicks'] as const) {
        expect(await found(text, { ownerId: 'acme' }, sort)).toBe('6420')
        expect(await found(text, { domainIds: ['second'] }, sort)).toBe('6540')
        expect(await found(text, { ownerId: 'acme', domainIds: ['second'] }, sort)).toBe('640')
        expect(await found(text, { domainIds: ['second', 'default'] }, sort)).toBe('6543210')
        expect(await found(text, { domainIds: ['unknown'] }, sort)).toBe('')
      }
      expect(await found(text, { ownerId: 'acme' }, 'oldest')).toBe('0246')
      expect(await found(text, { domainIds: [] })).toBe('')
      expect(await found(text, { ownerId: 'acme', domainIds: ['default'] }, 'oldest')).toBe('2')
      expect(await found(text, { state: 'active' })).toBe('6530')
      expect(await found(text, { state: 'off' })).toBe('1')
      expect(await found(text, { state: 'expired' })).toBe('42')
      expect(await found(text, { state: 'expired', domainIds: ['second'] })).toBe('4')
      expect(await found(text, { state: 'off', ownerId: 'acme' })).toBe('')
      expect(await found(text, { ownerId: 'nobody' })).toBe('')
    }
    expect(await found('', { state: 'deleted' })).toBe('8')
    expect(await found('second.example/LINK8', { state: 'deleted' }, 'clicks')).toBe('8')
    expect(await found('sale', { state: 'deleted' })).toBe('')
    expect(await found('', { state: 'deleted', ownerId: 'other' })).toBe('')
  })

  test('finds an owner’s few links beside another owner’s many, and says if not all were compared', async () => {
    await addOwners(opened.database, 'few', 'many')
    await addMany(10, (at) => {
      return { id: `a-${at}`, back_half: `few${at}`, owner_id: 'few', title: `A sale sale ${at}` }
    })
    // These contain the same groups of three characters.
    await addMany(MANY, (at) => ({
      id: `b-${String(at).padStart(5, '0')}`,
      back_half: `many${at}`,
      owner_id: 'many',
      title: 'A sale e sale',
    }))
    if (opened.database.kind === 'sqlite') await indexAll(opened.database)
    const find = (text: string, filter: LinkFilter, first: 'newest' | 'oldest' = 'newest') =>
      findMatches(context(), { text, filter, first })
    expect(await find('sale sale', { ownerId: 'few' })).toEqual({
      ids: Array.from({ length: 10 }, (_, at) => `a-${9 - at}`),
      hasMore: false,
    })
    const count = async (...query: Parameters<typeof find>) => {
      const { ids, hasMore } = await find(...query)
      return [ids.length, hasMore]
    }
    expect(await count('sale', { ownerId: 'few' })).toEqual([10, false])
    expect(await find('sale sale', {})).toMatchObject({ hasMore: true })
    for (const ownerId of [undefined, 'few']) {
      expect(await find('/FEW7', { ownerId })).toEqual({ ids: ['a-7'], hasMore: false })
    }
    expect(await count('sale sale', {}, 'oldest')).toEqual([10, true])
    expect(await count('sale sale', { ownerId: 'many' })).toEqual([0, true])
    expect(await count('sale', { ownerId: 'many' })).toEqual([1_000, true])
    for (const state of ['off', 'expired'] as const) {
      expect(await find('', { state, ownerId: 'many' })).toEqual({ ids: [], hasMore: false })
    }
    const paging = { text: '', filter: { ownerId: 'many' }, sort: 'oldest', page: 402 } as const
    const last = await searchLinks(context(), { reach: 'all', ...paging })
    expect(last).toMatchObject({ total: MANY, pages: 402, hasMore: false })
    expect(last.links.at(-1)?.back_half).toBe(`many${MANY - 1}`)
  })
})
