import { beforeAll, expect, test } from 'vitest'
import { createLinkWriter, type LinkWriter } from '../../../src/service/store/link-writer.ts'
import { EMPTY_FIELDS } from '../../../src/service/store/links.ts'
import { addOwner } from '../../../src/service/store/owners.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'

describeOnEveryDatabase((opened) => {
  let links: LinkWriter
  let ownerId: string
  const announced: string[] = []
  beforeAll(async () => {
    links = createLinkWriter({ ...opened.database, now: Date.now }, (ids) => announced.push(...ids))
    ownerId = (await addOwner(opened.database.db, { kind: 'account', name: 'One', now: 1 })).id
  })

  const domain = (id: string) => ({ id, domain_name: '', owner_id: null, created_at: 0 })

  const create = (domainId: string) =>
    links.create({
      ownerId,
      maxLinks: null,
      domain: domain(domainId),
      backHalf: undefined,
      fields: { ...EMPTY_FIELDS, destination_url: `https://example.com/${domainId}` },
      image: undefined,
    })

  test('says that the domain record was removed after it was checked, and writes the others', async () => {
    const [kept, removed] = await Promise.all([create('default'), create('removed')])
    expect(kept.outcome).toBe('created')
    expect(removed).toEqual({ outcome: 'domain_gone' })
    if (kept.outcome !== 'created') throw new Error('no link')
    const target = { linkId: kept.link.id, ownerId, madeBy: 'key' }
    const results = await Promise.all([
      links.update(target, { fields: { title: 'kept' } }),
      links.update(target, { fields: {}, domain: domain('removed') }),
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual(['changed', 'domain_gone'])
  })

  test('announces changes and deletions, but no change that changed nothing', async () => {
    const [one, two] = await Promise.all([create('default'), create('default')])
    const made = [one, two].find(({ outcome }) => outcome === 'duplicate')
    if (made?.outcome !== 'duplicate') throw new Error('no link')
    announced.length = 0
    const target = { linkId: made.link.id, ownerId, madeBy: 'key' }
    await links.update(target, { fields: { title: 'kept' } })
    expect(announced).toEqual([])
    await links.update(target, { fields: { title: 'new' } })
    expect(announced).toEqual([made.link.id])
    await links.delete(target)
    await links.delete(target)
    expect(announced).toEqual([made.link.id, made.link.id])
  })
})
