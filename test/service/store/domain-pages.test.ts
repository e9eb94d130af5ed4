import { expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { EMPTY_BLOCKLIST, parseBlockedHosts } from '../../../src/service/store/blocklist.ts'
import { findDomainPage, setDomainUrls } from '../../../src/service/store/domain-pages.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'

const addresses = createAddresses('https://go.example.com', ['old.example.com'])

describeOnEveryDatabase((opened) => {
  const find = (
    hostname: string,
    page: 'home_url' | 'not_found_url' = 'home_url',
    blocklist = EMPTY_BLOCKLIST,
  ) => findDomainPage({ ...opened.database, addresses, blocklist }, hostname, page)
  const add = (id: string, domain_name: string) =>
    addDomain(opened.database.db, { id, domain_name, owner_id: null, created_at: 0 })
  const set = (domain_name: string, home_url: string | null) =>
    opened.database.db
      .updateTable('domains')
      .set({ home_url })
      .where('domain_name', '=', domain_name)
      .execute()
  const home = 'https://home.example/'

  test('finds the URLs of a hostname, whose records share them', async () => {
    await add('one', 'brand.example')
    const context = { ...opened.database, addresses, blocklist: EMPTY_BLOCKLIST }
    const urls = { home_url: home, not_found_url: 'https://help.example/' }
    expect(await setDomainUrls(context, { domain_name: 'brand.example' }, urls)).toEqual({})
    await add('two', 'brand.example')
    await opened.database.db.deleteFrom('domains').where('id', '=', 'one').execute()
    expect(await find('Brand.Example.')).toBe(home)
    expect(await find('brand.example', 'not_found_url')).toBe('https://help.example/')
    expect(await find('other.example')).toBeUndefined()
    await set('', 'https://built-in.example/')
    for (const hostname of ['go.example.com', 'old.example.com']) {
      expect(await find(hostname)).toBe('https://built-in.example/')
    }
  })

  test('leads neither to a blocked site nor to an address of the service', async () => {
    await add('safe', 'safe.example')
    const blocked = parseBlockedHosts('home.example')
    const blocklist = { ...EMPTY_BLOCKLIST, blocks: (hostname: string) => blocked.has(hostname) }
    for (const [url, expected] of [
      ['https://other.example/', 'https://other.example/'],
      [home, undefined],
      ['https://go.example.com/x', undefined],
      ['https://old.example.com/', undefined],
    ] as const) {
      await set('safe.example', url)
      expect([url, await find('safe.example', 'home_url', blocklist)]).toEqual([url, expected])
    }
  })
})
