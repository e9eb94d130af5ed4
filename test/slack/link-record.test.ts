import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Caller } from '../../src/slack/caller.ts'
import { createLinkRecord } from '../../src/slack/link-record.ts'
import { createWork } from '../../src/slack/work.ts'
import type { MadeLink, MadeLinks, RememberedLink } from '../../src/workspaces/made-links.ts'

const CALLER: Caller = {
  workspace: { id: 'T_ONE' },
  client: new WebClient(),
  token: 'xoxb-1',
  userId: 'U_ANA',
  mayReadFiles: true,
}
const LINK = {
  name: '1',
  destination_url: 'https://example.com/',
  shortlink_url: 'https://go.example.com/1',
}
const REQUEST = { destination_url: 'https://example.com/', domain: 'dom_1' }

function recordOver({ known, broken = false }: { known?: RememberedLink; broken?: boolean } = {}) {
  const kept: [string, MadeLink][] = []
  const logged: string[] = []
  const work = createWork()
  const madeLinks: MadeLinks = {
    async remember(...link) {
      if (broken) throw new Error('disk full')
      kept.push(link)
    },
    async find() {
      if (broken) throw new Error('disk full')
      return known
    },
  }
  const logger = pino({}, { write: (line: string) => void logged.push(line) })
  return { record: createLinkRecord({ madeLinks, work, logger }), kept, logged, work }
}

test('a link is kept with its preview and whoever made it', async () => {
  const { record, kept, work } = recordOver()
  const link = {
    ...LINK,
    title: 'Spring',
    is_custom_preview: true,
    preview_title: 'Card',
    preview_description: 'Words',
    preview_image: 'https://go.example.com/1.png',
  }
  record.add(CALLER, link, REQUEST)
  await work.drained()
  expect(kept).toEqual([
    [
      'T_ONE',
      {
        shortUrl: 'https://go.example.com/1',
        destinationUrl: 'https://example.com/',
        title: 'Spring',
        previewTitle: 'Card',
        previewDescription: 'Words',
        previewImageUrl: 'https://go.example.com/1.png',
        madeBy: 'U_ANA',
      },
    ],
  ])
})

test('what the service doesn’t repeat is taken from what was asked for', async () => {
  const { record, kept, work } = recordOver()
  const preview = { is_custom_preview: true, preview_title: 'Card', preview_description: 'Words' }
  record.add(CALLER, LINK, { ...REQUEST, ...preview, title: 'Spring' })
  await work.drained()
  expect(kept).toMatchObject([
    ['T_ONE', { title: 'Spring', previewTitle: 'Card', previewDescription: 'Words' }],
  ])
})

test('a preview that is switched off is not one', async () => {
  const { record, kept, work } = recordOver()
  const link = { ...LINK, is_custom_preview: false, preview_title: 'Of old' }
  record.add(CALLER, link, REQUEST)
  await work.drained()
  expect(kept[0]?.[1].previewTitle).toBeUndefined()
})

test('a record that fails hurts nobody, and is in the log', async () => {
  const { record, logged, work } = recordOver({ broken: true })
  record.add(CALLER, LINK, REQUEST)
  await work.drained()
  expect(await record.whoMade(CALLER, LINK.shortlink_url)).toBeUndefined()
  expect(logged).toEqual([
    expect.stringContaining('is not remembered'),
    expect.stringContaining('could not be read'),
  ])
})

test('who made a link is known where a person did', async () => {
  const known = { address: '', destinationUrl: 'https://e.example/', madeBy: 'U_BEN', madeAt: 5 }
  const person = recordOver({ known }).record
  expect(await person.whoMade(CALLER, LINK.shortlink_url)).toEqual({ by: 'U_BEN', at: 5 })
  const workflow = recordOver({ known: { ...known, madeBy: undefined } }).record
  expect(await workflow.whoMade(CALLER, LINK.shortlink_url)).toBeUndefined()
})
