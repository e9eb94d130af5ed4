import type { KnownBlock } from '@slack/types'
import { expect, test } from 'vitest'
import { home, type HomeTab } from '../../../src/slack/blocks/home.ts'

const service = { host: 'links.example.com', domain: 'go.example.com', keyEnding: '1234' }
const MORE =
  'In any conversation: `/shorten https://…` makes a link, `/shorten help` shows what else there is.'

/** Texts of sections, contexts and buttons, in their order. */
const words = (tab: HomeTab): unknown[] =>
  (home(tab).blocks as KnownBlock[]).slice(1).flatMap(wordsOf)

function wordsOf(block: KnownBlock): unknown[] {
  if (block.type === 'section') return [block.text?.text]
  if (block.type !== 'context' && block.type !== 'actions') return [block.type]
  return block.elements.map((one) =>
    'text' in one && typeof one.text === 'object'
      ? `[${one.text.text}]`
      : 'text' in one && one.text,
  )
}

test('an admin sees to what the workspace is connected, and what can be changed', () => {
  expect(words({ service, isAdmin: true, links: 'loading' })).toEqual([
    'Connected to *links.example.com*. New links are made on *go.example.com*.',
    'The API key in use ends in `1234`. Only admins see this.',
    '[Shorten a link]',
    '[Settings]',
    'divider',
    'Loading the links…',
    MORE,
  ])
})

test('without a connection, admins can make one, and others are told whom to ask', () => {
  expect(words({ isAdmin: true })).toEqual([
    expect.stringContaining('Press _Connect_ to see what it takes'),
    '[Connect]',
    '[Settings]',
    MORE,
  ])
  expect(words({ isAdmin: false })).toEqual([
    expect.stringContaining('Ask an admin to press _Connect_ here'),
    MORE,
  ])
})

test('a connection that can’t be read is told as it is, and not as none', () => {
  const links = { messages: ['The key can’t be read <any> more.'], position: 'most_recent:desc:1' }
  expect(words({ isAdmin: false, links })).toEqual([
    'divider',
    ':warning: The key can’t be read &lt;any&gt; more.',
    '[Try again]',
    MORE,
  ])
})
