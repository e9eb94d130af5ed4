import type { KnownBlock } from '@slack/types'
import { expect, test } from 'vitest'
import { homeView, type HomeContent } from '../../../src/slack/list/home-view.ts'

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

test('names no command that a workspace without a link service would refuse', () => {
  expect(textsOf({ isAdmin: false })).toEqual([expect.stringContaining('Ask an admin')])
})

test('leads back from a later page that is empty', () => {
  const position = { sort_by: 'most_recent', order: 'desc', page: 3 } as const
  const links = { links: [], skipped: 0, hasNext: false, position }
  const service = { host: 'links.example.com', keyEnding: '1234' }
  const texts = textsOf({ service, isAdmin: false, links })
  expect(texts[0]).toBe('Connected to *links.example.com*, where new links are made.')
  expect(texts).toContain('There are no links on page 3.')
  expect(texts).toContain('[Previous]')
})
