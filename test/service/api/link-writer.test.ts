import { expect, test } from 'vitest'
import { createLinkWriter } from '../../../src/service/api/link-writer.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'

describeOnEveryDatabase((opened) => {
  test.each([[undefined], ['a key']])(
    'a domain record that was removed after the request was checked gets 422 (key: %s)',
    async (key) => {
      const { db } = opened.database
      const addresses = createAddresses('http://127.0.0.1:3001')
      const links = createLinkWriter({ ...opened.database, db, addresses, now: Date.now })
      const owner = await addOwner(db, { kind: 'account', name: `owner ${key}`, now: 1 })
      const apiKey = {
        ...{ id: owner.id, owner_id: owner.id, name: 'k', description: null, hash: owner.id },
        ...{ prefix: 'bh', permissions: 'all' as const, scopes: '[]', domain_ids: null },
        ...{ created_at: 1, revoked_at: null, expires_at: null, last_used_at: null },
        requests_per_minute: null,
      }
      await db.insertInto('api_keys').values(apiKey).execute()
      const validated = {
        ownerId: owner.id,
        maxLinks: null,
        mayRead: true,
        domain: { id: 'gone', domain_name: 'gone.example.com', owner_id: null, created_at: 0 },
        request: { destination_url: 'https://example.com/', domain: 'gone' },
      }
      const idempotent = key === undefined ? key : { apiKeyId: owner.id, key, requestHash: 'h' }
      await expect(links.create(validated, idempotent)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { fields: { domain: ['Your API key has no domain record with this ID.'] } },
      })
    },
  )
})
