import { beforeAll, expect, test } from 'vitest'
import { addApiKey } from '../../../src/service/store/api-keys.ts'
import { createLinkWriter, type LinkWriter } from '../../../src/service/store/link-writer.ts'
import {
  createLink,
  type NewLink,
  type PlannedLink,
} from '../../../src/service/store/create-link.ts'
import { EMPTY_FIELDS } from '../../../src/service/store/link-values.ts'
import { DASHBOARD } from '../../../src/service/store/links.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'

describeOnEveryDatabase((opened) => {
  let links: LinkWriter
  let ownerId: string
  const announced: string[] = []
  beforeAll(async () => {
    links = createLinkWriter(opened.database, Date.now, (ids) => announced.push(...ids))
    const { db } = opened.database
    ownerId = (await addOwner(db, { kind: 'account', name: 'One', created_at: 1 })).id
  })

  const linkTo = (path: string, backHalf?: string, domain_id = 'default'): NewLink => ({
    columns: {
      ...EMPTY_FIELDS,
      ...DASHBOARD,
      owner_id: ownerId,
      domain_id,
      hostname: '',
      destination_url: `https://example.com/${path}`,
    },
    backHalf,
    maxLinks: null,
    image: undefined,
  })
  const create = (domainId: string) =>
    links.create(linkTo(domainId, undefined, domainId), createLink)

  test('creates links in one transaction, each with an outcome of its own', async () => {
    const key = { ownerId, name: 'One', permissions: 'all' } as const
    const { id: apiKeyId } = await addApiKey(opened.database.db, key, 0)
    const withKey =
      (idempotency_key: string, request_hash = '') =>
      (planned: PlannedLink, time: number) => {
        const { destination_url, back_half } = planned.row
        const answer = `${destination_url} ${back_half}`
        const request = { api_key_id: apiKeyId, idempotency_key, request_hash, answer }
        return createLink(planned, time, request)
      }
    const results = await Promise.all([
      links.create(linkTo('a', 'bulk-a'), createLink),
      links.create(linkTo('a'), createLink),
      links.create(linkTo('b', 'bulk-a'), createLink),
      links.create(linkTo('c', 'bulk-c'), withKey('one', 'c')),
      links.create(linkTo('c', 'bulk-c'), withKey('one', 'c')),
      links.create(linkTo('d'), withKey('one', 'd')),
      links.create(linkTo('c'), withKey('two')),
      links.create({ ...linkTo('e', 'bulk-e'), maxLinks: 100 }, withKey('three', 'e')),
      links.create({ ...linkTo('f'), maxLinks: 1 }, withKey('four')),
    ])
    expect(results).toMatchObject([
      { outcome: 'created', link: { back_half: 'bulk-a' } },
      { outcome: 'duplicate', link: { back_half: 'bulk-a' } },
      { outcome: 'back_half_taken' },
      { outcome: 'created', link: { back_half: 'bulk-c' } },
      { outcome: 'repeated', request_hash: 'c', answer: 'https://example.com/c bulk-c' },
      { outcome: 'repeated', request_hash: 'c' },
      { outcome: 'duplicate', link: { back_half: 'bulk-c' } },
      { outcome: 'created', link: { back_half: 'bulk-e' } },
      { outcome: 'quota_reached', maxLinks: 1 },
    ])
    // A request that created nothing does not use up its key.
    const again = await Promise.all([
      links.create(linkTo('g', 'bulk-g'), withKey('two')),
      links.create(linkTo('h', 'bulk-h'), withKey('four')),
      links.create(linkTo('i'), withKey('three')),
    ])
    expect(again).toMatchObject([
      { outcome: 'created', link: { back_half: 'bulk-g' } },
      { outcome: 'created', link: { back_half: 'bulk-h' } },
      { outcome: 'repeated', answer: 'https://example.com/e bulk-e' },
    ])
  })

  test('fails if the domain record was removed after it was checked, and writes the others', async () => {
    const removed = expect(create('removed')).rejects.toThrow()
    const kept = await create('default')
    await removed
    if (kept.outcome !== 'created') throw new Error('no link')
    const target = { linkId: kept.link.id, ownerId, creator: DASHBOARD }
    const change = links.update(target, { fields: { title: 'kept' } })
    const domain = { id: 'removed', domain_name: '', owner_id: null, created_at: 0 }
    const moved = { fields: {}, domain }
    await expect(links.update(target, moved)).rejects.toThrow()
    expect((await change).outcome).toBe('changed')
  })

  test('announces changes and deletions, but no change that changed nothing', async () => {
    const [one, two] = await Promise.all([create('default'), create('default')])
    const made = [one, two].find(({ outcome }) => outcome === 'duplicate')
    if (made?.outcome !== 'duplicate') throw new Error('no link')
    announced.length = 0
    const target = { linkId: made.link.id, ownerId, creator: DASHBOARD }
    await links.update(target, { fields: { title: 'kept' } })
    expect(announced).toEqual([])
    await links.update(target, { fields: { title: 'new' } })
    expect(announced).toEqual([made.link.id])
    await links.delete(target)
    await links.delete(target)
    expect(announced).toEqual([made.link.id, made.link.id])
  })
})
