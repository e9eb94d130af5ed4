import { expect, test } from 'vitest'
import { createLinkWriter } from '../../../src/service/api/link-writer.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'

describeOnEveryDatabase((opened) => {
  test('answers 422 if the domain record was removed after it was checked', async () => {
    const { db } = opened.database
    const addresses = createAddresses('https://go.example.com')
    const links = createLinkWriter({ ...opened.database, addresses, now: Date.now })
    const owner = await addOwner(db, { kind: 'account', name: 'One', now: 1 })
    const create = (domainId: string) =>
      links.create(
        {
          ownerId: owner.id,
          maxLinks: null,
          mayRead: true,
          domain: { id: domainId, domain_name: '', owner_id: null, created_at: 0 },
          request: { destination_url: `https://example.com/${domainId}`, domain: domainId },
          image: undefined,
        },
        undefined,
      )
    const [kept, removed] = await Promise.allSettled([create('default'), create('removed')])
    expect(kept.status).toBe('fulfilled')
    expect(removed).toMatchObject({
      reason: {
        status: 422,
        code: 'VALIDATION_ERROR',
        details: { fields: { domain: ['Your API key has no domain record with this ID.'] } },
      },
    })
  })
})
