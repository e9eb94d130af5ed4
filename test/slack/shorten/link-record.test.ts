import { expect, test } from 'vitest'
import { createLinkRecord } from '../../../src/slack/shorten/shortener.ts'
import type { MadeLink, MadeLinks, StoredLink } from '../../../src/workspaces/made-links.ts'
import type { RecentUtm } from '../../../src/workspaces/settings.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const CALLER = fakeCaller()
const LINK = {
  name: '1',
  destination_url: 'https://example.com/',
  shortlink_url: 'https://go.example.com/1',
}
const REQUEST = { destination_url: 'https://example.com/', domain: 'dom_1' }

/** A record over stores that hold `known`, or that fail. */
function setUp({ known, broken = false }: { known?: StoredLink; broken?: boolean } = {}) {
  const platform = fakePlatform()
  const { tasks, logged } = platform
  const added: [string, MadeLink][] = []
  const saved: unknown[][] = []
  const followed: unknown[][] = []
  const madeLinks: Omit<MadeLinks, 'list'> = {
    async add(...link) {
      if (broken) throw new Error('disk full')
      added.push(link)
    },
    async find() {
      if (broken) throw new Error('disk full')
      return known
    },
    async follow(...change) {
      if (broken) throw new Error('disk full')
      followed.push(change)
    },
    async remove() {
      if (broken) throw new Error('disk full')
    },
  }
  const recentUtm: RecentUtm = {
    read: async () => undefined,
    async save(...values) {
      if (broken) throw new Error('disk full')
      saved.push(values)
    },
  }
  const record = createLinkRecord(platform, { madeLinks, recentUtm })
  return { record, added, saved, followed, logged, tasks }
}

test('takes from the request what the service’s answer leaves out', async () => {
  const { record, added, tasks } = setUp()
  const preview = { is_custom_preview: true, preview_title: 'Card', preview_description: 'Words' }
  await record.add(CALLER, LINK, { ...REQUEST, ...preview, title: 'Spring' }, {})
  await tasks.drained()
  expect(added).toMatchObject([
    ['T_ONE', { title: 'Spring', previewTitle: 'Card', previewDescription: 'Words' }],
  ])
})

test('stores no preview if the preview is turned off', async () => {
  const { record, added, tasks } = setUp()
  const link = { ...LINK, is_custom_preview: false, preview_title: 'From before' }
  await record.add(CALLER, link, REQUEST, {})
  await tasks.drained()
  expect(added[0]?.[1].previewTitle).toBeUndefined()
})

test('stores the UTM values that a user used, and not those of a workflow or an empty set', async () => {
  const { record, saved, tasks } = setUp()
  await record.add(CALLER, LINK, REQUEST, { utm_source: 'poster' })
  await record.add(CALLER, LINK, REQUEST, {})
  await record.add(fakeCaller({ userId: undefined }), LINK, REQUEST, { utm_source: 'poster' })
  await tasks.drained()
  expect(saved).toEqual([['T_ONE', 'U_ANA', { utm_source: 'poster' }]])
})

test('logs failures and throws none', async () => {
  const { record, logged, tasks } = setUp({ broken: true })
  await record.add(CALLER, LINK, REQUEST, { utm_source: 'poster' })
  await tasks.drained()
  expect(await record.whoMade(CALLER, LINK)).toBeUndefined()
  expect(await record.isKnown(CALLER, LINK.shortlink_url)).toBe(false)
  expect(logged).toEqual([
    expect.stringContaining('a new link could not be added to the record of links'),
    expect.stringContaining('the UTM values of a new link could not be stored'),
    expect.stringContaining('the record of links could not be read'),
    expect.stringContaining('the record of links could not be read'),
  ])
})
