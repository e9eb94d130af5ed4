import { expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { checkPublicHostname, validateDomain } from '../../../src/service/store/domains.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { addDomainRecord } from '../../support/rows.ts'

const addresses = createAddresses('https://go.example.com')

test.each([
  [
    { hostname: 'brand.example', id: 'Brand_1' },
    { id: 'Brand_1', domain_name: 'brand.example' },
  ],
  [
    { hostname: 'MÜNCHEN.example.' },
    { id: 'xn--mnchen-3ya.example', domain_name: 'xn--mnchen-3ya.example' },
  ],
  [{ hostname: 'go.internal' }, { id: 'go.internal', domain_name: 'go.internal' }],
])('accepts %j', (input, domain) => {
  expect(validateDomain(addresses, input)).toEqual({ domain })
})

test.each([
  [{ hostname: '' }, { hostname: /is not a hostname/ }],
  [{ hostname: 'https://brand.example/' }, { hostname: /without https/ }],
  [{ hostname: '127.0.0.1' }, { hostname: /is not a hostname/ }],
  [{ hostname: 'GO.example.com' }, { hostname: /built-in record “default”/ }],
  [{ hostname: 'brand.example', id: 'a b' }, { id: /letters, digits/ }],
  [{ hostname: 'brand.example', id: 'x'.repeat(76) }, { id: /at most 75/ }],
  [{ hostname: `${'a.'.repeat(40)}example` }, { id: /too long to be the ID as well/ }],
  [
    { hostname: 'x', id: '' },
    { hostname: /is not a hostname/, id: /letters, digits/ },
  ],
])('rejects %j', (input, errors) => {
  const matching = Object.fromEntries(
    Object.entries(errors).map(([name, message]) => [
      name,
      expect.stringMatching(message) as string,
    ]),
  )
  expect(validateDomain(addresses, input)).toEqual({ errors: matching })
})

test('no domain record can have the hostname of the public URL', async () => {
  const database = await openTempDatabase()
  const { db } = database
  await addDomainRecord(database, 'brand')
  await checkPublicHostname(db, addresses)
  await expect(checkPublicHostname(db, createAddresses('https://BRAND.example'))).rejects.toThrow(
    'SERVICE_PUBLIC_URL has the hostname brand.example, which the domain record brand already has.',
  )
  await database.close()
})
