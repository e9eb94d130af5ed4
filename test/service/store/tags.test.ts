import { expect, test } from 'vitest'
import { parseTags } from '../../../src/contract/tags.ts'
import { createAddresses } from '../../../src/service/store/addresses.ts'
import { updateLink } from '../../../src/service/store/change-link.ts'
import { addClicks } from '../../../src/service/store/clicks.ts'
import type { LinkRow } from '../../../src/service/store/links.ts'
import { linkHistory } from '../../../src/service/store/link-history.ts'
import { readReport } from '../../../src/service/store/report.ts'
import { addTagSets, renameTag } from '../../../src/service/store/tags.ts'
import { describeOnEveryDatabase } from '../../support/databases.ts'
import { addLinks, addOwners, linkRow } from '../../support/rows.ts'

const ANA = { made_by: 'key', person_id: 'U0ANA', person_name: 'Ana' }

const NOW = 5_000

describeOnEveryDatabase((opened) => {
  let count = 0

  /** Adds an owner with links that have these tags. A number: so many links with the tags after it. */
  async function addTagged(...links: (string | [count: number, tags: string])[]) {
    const owner = `owner${++count}`
    await addOwners(opened.database, owner)
    const all = links.flatMap((one) =>
      typeof one === 'string' ? one : Array<string>(one[0]).fill(one[1]),
    )
    const rows = all.map((tags, at) =>
      linkRow(`${owner}-${String(at).padStart(5, '0')}`, { owner_id: owner, tags }),
    )
    await add(rows)
    return owner
  }

  async function add(rows: LinkRow[]) {
    await addLinks(opened.database, ...rows)
    const sets = new Map(rows.map((row) => [row.tags, row]))
    await addTagSets(opened.database.db, [...sets.values()])
  }

  const linksOf = (owner: string) =>
    opened.database.db
      .selectFrom('links')
      .select(['id', 'tags', 'revision', 'updated_at'])
      .where('owner_id', '=', owner)
      .orderBy('id')
      .execute()

  const tagsOf = async (owner: string) => (await linksOf(owner)).map(({ tags }) => tags)

  /** The sets that are stored of an owner have to be those of the links, with a row for each tag. */
  async function expectTrueSets(owner: string) {
    const all = opened.database.db.selectFrom('tag_sets').select(['tags', 'name'])
    const rows = await all.where('owner_id', '=', owner).execute()
    const stored = rows.map(({ tags, name }) => `${tags}: ${name}`).sort()
    const sets = [...new Set(await tagsOf(owner))].flatMap((tags) => tags ?? [])
    expect(stored).toEqual(
      sets.flatMap((tags) => parseTags(tags).map((name) => `${tags}: ${name}`)).sort(),
    )
  }

  const rename = (ownerId: string, key: string, name: string | null) =>
    opened.database.write(renameTag({ ownerId, key, name }, ANA, NOW), ownerId)

  test.each([
    ['renamed', 'spring', 'Frühling', ['a,Frühling', 'Frühling', 'print', 'a,print']],
    ['spelled differently', 'spring', 'SPRING', ['a,SPRING', 'SPRING', 'print', 'a,print']],
    ['merged', 'spring', 'print', ['a,print', 'print', 'print', 'a,print']],
    ['merged into another of a link', 'a', 'print', ['print,spring', 'spring', 'print', 'print']],
    ['deleted', 'spring', null, ['a', null, 'print', 'a,print']],
  ])('a tag is %s', async (_what, key, name, expected) => {
    const before = ['a,spring', 'spring', 'print', 'a,print']
    const [owner, other] = [await addTagged(...before), await addTagged(...before)]
    const changed = before.filter((tags, at) => tags !== expected[at]).length
    expect(await rename(owner, key, name)).toEqual({ changed, isDone: true })
    expect(await tagsOf(owner)).toEqual(expected)
    await expectTrueSets(owner)
    expect(await tagsOf(other)).toEqual(before)
    await expectTrueSets(other)
    for (const [at, link] of (await linksOf(owner)).entries()) {
      const isChanged = before[at] !== expected[at]
      expect(link).toMatchObject(
        isChanged ? { revision: 2, updated_at: NOW } : { revision: 1, updated_at: 0 },
      )
      const text = (tags: string | null | undefined) => tags?.replace(',', ', ') ?? null
      const changes = { tags: [text(before[at]), text(expected[at])] }
      expect(await linkHistory(opened.database.db, link.id)).toEqual(
        isChanged ? [{ at: NOW, ...ANA, key_name: null, changes }] : [],
      )
    }
  })

  test('changes many links in batches, and after a process was killed, the next call changes the rest', async () => {
    const owner = await addTagged([300, 'old'], [400, 'b,old'], 'new')
    expect(await rename(owner, 'old', 'new')).toEqual({ changed: 250, isDone: false })
    await expectTrueSets(owner)
    // A link that gets the tag meanwhile is changed as well.
    await add([linkRow(`${owner}-late`, { owner_id: owner, tags: 'c,old' })])
    expect(await rename(owner, 'old', 'new')).toEqual({ changed: 250, isDone: false })
    expect(await rename(owner, 'old', 'new')).toEqual({ changed: 201, isDone: true })
    await expectTrueSets(owner)
    const tags = Map.groupBy(await tagsOf(owner), (one) => one)
    expect([...tags].map(([text, all]) => [text, all.length]).sort()).toEqual([
      ['b,new', 400],
      ['c,new', 1],
      ['new', 301],
    ])
    expect(await rename(owner, 'old', 'new')).toEqual({ changed: 0, isDone: true })
  })

  test('a click counts toward the tags of its link, even if a user changes the last link that a rename has left', async () => {
    const owner = await addTagged([251, 'old'])
    const ids = (await linksOf(owner)).map(({ id }) => id)
    const clicks = ids.map((link_id) => ({ link_id, day: '2026-11-23', people: 1, bots: 0 }))
    await opened.database.write(addClicks(clicks))
    expect(await rename(owner, 'old', 'new')).toEqual({ changed: 250, isDone: false })
    const left = (await linksOf(owner)).find(({ tags }) => tags === 'old')
    const target = { linkId: left?.id ?? '', ownerId: owner, creator: ANA }
    await opened.database.write(updateLink(target, { fields: { tags: 'own' } }, NOW), owner)
    expect(await rename(owner, 'old', 'new')).toEqual({ changed: 0, isDone: true })
    const report = await readReport(
      { ...opened.database, addresses: createAddresses('https://sho.rt') },
      { ownerId: owner },
      { from: '2026-11-23', to: '2026-11-23', group_by: 'tag', limit: 10 },
    )
    expect(report.groups).toMatchObject([
      { name: 'new', people: 250 },
      { name: 'own', people: 1 },
    ])
  })
})
