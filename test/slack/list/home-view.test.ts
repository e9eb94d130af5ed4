import type { KnownBlock } from '@slack/types'
import { expect, test } from 'vitest'
import { homeView, type HomeContent } from '../../../src/slack/list/home-view.ts'

const service = { host: 'links.example.com', domain: 'go.example.com', keyEnding: '1234' }
const MORE =
  'In any conversation, `/shorten https://…` makes a link and `/shorten help` shows what else you can do.'

/** The texts of sections, contexts and buttons, in order. */
const textsOf = (content: HomeContent): unknown[] =>
  (homeView(content).blocks as KnownBlock[]).slice(1).flatMap(blockTexts)

function blockTexts(block: KnownBlock): unknown[] {
  if (block.type === 'section') return [block.text?.text]
  if (block.type !== 'context' && block.type !== 'actions') return [block.type]
  return block.elements.map((one) =>
    'text' in one && typeof one.text === 'object'
      ? `[${one.text.text}]`
      : 'text' in one && one.text,
  )
}

test('shows an admin the connection, the key’s ending and the settings', () => {
  expect(textsOf({ service, isAdmin: true, links: 'loading' })).toEqual([
    'Connected to *links.example.com*. New links are made on *go.example.com*.',
    'The API key ends in `1234`. Only admins see this.',
    '[Shorten a link]',
    '[Settings]',
    'divider',
    'Loading the links…',
    MORE,
  ])
})

test('lets admins connect the workspace, and tells others to ask an admin', () => {
  expect(textsOf({ isAdmin: true })).toEqual([
    '*One step first:* this workspace isn’t connected to a link service. Press _Connect_ to connect it.',
    '[Connect]',
    '[Settings]',
    MORE,
  ])
  expect(textsOf({ isAdmin: false })).toEqual([
    '*One step first:* this workspace isn’t connected to a link service. Ask an admin to press _Connect_ here, or to type `/shorten connect`.',
    MORE,
  ])
})

test('shows why a connection can’t be read, and doesn’t call the workspace disconnected', () => {
  const position = { sort_by: 'most_recent', order: 'desc', page: 1 } as const
  const links = { messages: ['The key can’t be read <any> more.'], position }
  expect(textsOf({ isAdmin: false, links })).toEqual([
    'divider',
    ':warning: The key can’t be read &lt;any&gt; more.',
    '[Try again]',
    MORE,
  ])
})

test('shows how to begin if there are no links, and that a later page is empty', () => {
  const links = {
    links: [],
    skipped: 0,
    hasNext: false,
    position: { sort_by: 'most_recent', order: 'desc', page: 1 } as const,
  }
  const first = textsOf({ service: { ...service, domain: undefined }, isAdmin: false, links })
  expect(first).toEqual([
    'Connected to *links.example.com*, where new links are made.',
    '[Shorten a link]',
    'divider',
    '*Make your first short link*\n1. Press _Shorten a link_ above.\n2. Paste a long link and press _Create_. You get the short link as a message, with its QR code. From then on it is listed here.',
    MORE,
  ])
  const later = { ...links, position: { ...links.position, page: 3 } }
  const texts = textsOf({ service, isAdmin: false, links: later })
  expect(texts).toContain('There are no links on page 3.')
  expect(texts).toContain('[Previous]')
})
