import { expect, test } from 'vitest'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { checkPublicHostname, validateDomain } from '../../../src/service/store/domains.ts'
import { openTempDatabase } from '../../support/databases.ts'
import { addDomainRecord } from '../../support/rows.ts'

const addresses = createAddresses('https://go.example.com')

test.each([
  [{ hostname: 'brand.example', id: 'Brand_1' }, 'Brand_1', 'brand.example'],
  [{ hostname: 'MÜNCHEN.example.' }, 'xn--mnchen-3ya.example', 'xn--mnchen-3ya.example'],
  [{ hostname: 'go.internal' }, 'go.internal', 'go.internal'],
])('accepts %j', (input, id, domain_name) => {
  expect(validateDomain(addresses, input)).toEqual({ domain: { id, domain_name } })
})

test.each([
  [{ hostname: '' }, 'hostname', 'is not a hostname'],
  [{ hostname: 'x' }, 'hostname', 'is not a hostname'],
  [{ hostname: 'https://brand.example/' }, 'hostname', 'without https'],
  [{ hostname: '127.0.0.1' }, 'hostname', 'is not a hostname'],
  [{ hostname: 'GO.example.com' }, 'hostname', 'built-in record “default”'],
  [{ hostname: 'brand.example', id: '' }, 'id', 'letters, digits'],
  [{ hostname: 'brand.example', id: 'a b' }, 'id', 'letters, digits'],
  [{ hostname: 'brand.example', id: 'x'.repeat(76) }, 'id', 'at most 75'],
  [{ hostname: `${'a.'.repeat(40)}example` }, 'id', 'too long to be the ID as well'],
])('rejects %j', (input, field, error) => {
  const errors = { [field]: expect.stringContaining(error) as string }
  expect(validateDomain(addresses, input)).toEqual({ errors })
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
