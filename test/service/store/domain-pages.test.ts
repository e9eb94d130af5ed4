import { expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { EMPTY_BLOCKLIST, parseBlockedHosts } from '../../../src/service/store/blocklist.ts'
import { findDomainPage } from '../../../src/service/store/domain-pages.ts'
import { addDomain } from '../../../src/service/store/domains.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addDomainRecord } from '../../support/rows.ts'

const addresses = createAddresses('https://go.example.com', ['old.example.com'])

describeOnEveryDatabase((opened) => {
  const find = (hostname: string, blocklist = EMPTY_BLOCKLIST) =>
    findDomainPage({ ...opened.database, addresses, blocklist }, hostname, 'home_url')
  const set = (domain_name: string, home_url: string | null) => {
    const domains = opened.database.db.updateTable('domains').set({ home_url })
    return domains.where('domain_name', '=', domain_name).execute()
  }
  const home = 'https://home.example/'

  test('a new record of a hostname shares its URLs, and earlier hostnames of the service have them, too', async () => {
    await addDomainRecord(opened.database, 'brand')
    await set('brand.example', home)
    const second = { id: 'two', domain_name: 'brand.example', owner_id: null, created_at: 0 }
    await addDomain(opened.database.db, second)
    await opened.database.db.deleteFrom('domains').where('id', '=', 'brand').execute()
    expect(await find('Brand.Example.')).toBe(home)
    await set('', 'https://built-in.example/')
    for (const hostname of ['go.example.com', 'old.example.com']) {
      expect(await find(hostname)).toBe('https://built-in.example/')
    }
  })

  test('leads neither to a blocked site nor to an address of the service', async () => {
    await addDomainRecord(opened.database, 'safe')
    const blocked = parseBlockedHosts('home.example')
    const blocklist = { ...EMPTY_BLOCKLIST, blocks: (hostname: string) => blocked.has(hostname) }
    for (const [url, expected] of [
      ['https://other.example/', 'https://other.example/'],
      [home, undefined],
      ['https://go.example.com/x', undefined],
      ['https://old.example.com/', undefined],
    ] as const) {
      await set('safe.example', url)
      expect([url, await find('safe.example', blocklist)]).toEqual([url, expected])
    }
  })
})
