import { expect } from 'vitest'
import { placedElements } from '../../../src/simulator/block-kit/placed-elements.ts'
import type { Message } from '../../../src/simulator/protocol.ts'
import { objects } from '../../../src/simulator/shared/slack-json.ts'
import { withApp } from '../../support/fixtures.ts'
import { texts } from '../../support/texts.ts'

const { test, ana, ben, until } = withApp()

test.beforeAll(async ({ app: _app }) => {
  for (let number = 1; number <= 12; number++) {
    await ana.asks(`/shorten https://example.com/n${number} title="Link ${number}" qr=off`, {
      in: 'marketing',
      for: `Link ${number}*`,
    })
  }
})

/** The titles that a list shows, in order. */
function titles(message: Message): string[] {
  return [...texts(message).matchAll(/Link \d+/g)].map(([title]) => title)
}

const numbered = (...numbers: number[]): string[] => numbers.map((number) => `Link ${number}`)

test('lists ten links on each page, the newest first, and turns pages in the same message', async () => {
  await ana.types('/shorten list', { in: 'general' })
  const first = await until(() => ana.newest('general'))
  expect(first.ephemeral).toBe(true)
  expect(titles(first)).toEqual(numbered(12, 11, 10, 9, 8, 7, 6, 5, 4, 3))
  expect(texts(first)).toContain('Page 1 of 2  ·  12 links')
  expect(texts(first)).not.toContain('list_previous')

  await ana.presses('Next', { in: 'general' })
  const second = await until(
    () => texts(ana.newest('general')).includes('Page 2') && ana.newest('general'),
  )
  expect(second.ts).toBe(first.ts)
  expect(titles(second)).toEqual(numbered(2, 1))
  expect(texts(second)).not.toContain('list_next')

  await ana.presses('Previous', { in: 'general' })
  await ana.gets('Page 1')
})

test('lists the links in the order that the user chooses', async () => {
  await ana.chooses('Oldest first', { in: 'general' })
  const oldest = await until(
    () => titles(ana.newest('general') as Message)[0] === 'Link 1' && ana.newest('general'),
  )
  expect(titles(oldest)).toEqual(numbered(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
})

test('accepts sort field, order and page in the command', async () => {
  await ben.types('/shorten list created_at asc 2', { in: 'general' })
  const page = await until(() => ben.newest('general'))
  expect(titles(page)).toEqual(numbered(11, 12))
})

test.each(['', 'created_at'])('offers each order once in a list sorted by “%s”', async (field) => {
  const seen = ben.sees('general').length
  await ben.types(`/shorten list ${field}`, { in: 'general' })
  const { blocks } = await until(() => ben.sees('general')[seen])
  const menu = placedElements(objects(blocks)).find(
    ({ element }) => element['action_id'] === 'list_sort',
  )?.element
  const options = objects(menu?.['options'])
  expect(options.map(({ text }) => (text as { text: string }).text)).toEqual([
    'Most recent first',
    'Oldest first',
    'Updated: newest first',
    'Updated: oldest first',
  ])
  expect(menu?.['initial_option']).toEqual(options[0])
  expect(options[0]?.['value']).toBe(`${field || 'most_recent'}:desc`)
})

test('says that a page beyond the end is empty, and leads back', async () => {
  await ben.types('/shorten list 9', { in: 'general' })
  const page = await until(
    () =>
      texts(ben.newest('general')).includes('There are no links on page 9.') &&
      ben.newest('general'),
  )
  expect(texts(page)).toContain('list_previous')
})
