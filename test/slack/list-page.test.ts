import { expect, test } from 'vitest'
import type { LinkPage } from '../../src/client/link-client.ts'
import { linkList } from '../../src/slack/blocks/link-list.ts'
import { listPage } from '../../src/slack/list-page.ts'
import type { Links } from '../../src/slack/links.ts'

const links = (count: number): LinkPage['links'] =>
  Array.from({ length: count }, (_, index) => ({
    name: `lnk_${index + 1}`,
    destination_url: 'https://example.com/',
    shortlink_url: `https://go.example.com/n${index + 1}`,
  }))

/** A service that always gives the same answer. */
const answering = (answer: Partial<LinkPage>): Links => ({
  connection: () => Promise.reject(new Error('not asked for here')),
  create: () => Promise.reject(new Error('not asked for here')),
  list: () =>
    Promise.resolve({ links: [], skipped: 0, page: 1, perPage: 10, hasNext: false, ...answer }),
})

async function shown(answer: Partial<LinkPage>, page: number) {
  const position = { sort_by: 'most_recent', order: 'desc', page } as const
  const { blocks } = linkList(await listPage(answering(answer), { id: 'T1' }, position))
  const json = JSON.stringify(blocks)
  return {
    names: [...json.matchAll(/\|go\.example\.com\/n(\d+)>/g)].map(([, number]) => Number(number)),
    leadsTo: [...json.matchAll(/"action_id":"list_(\w+)","value":"most_recent:desc:(\d+)"/g)].map(
      ([, name, number]) => [name, Number(number)],
    ),
    blocks: blocks.length,
  }
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('a service that sends everything at once is paged here', async () => {
  const everything = { links: links(25), hasNext: true }
  expect(await shown(everything, 1)).toMatchObject({
    names: numbers(1, 10),
    leadsTo: [['next', 2]],
  })
  expect(await shown(everything, 3)).toMatchObject({
    names: numbers(21, 25),
    leadsTo: [['previous', 2]],
  })
  expect(await shown(everything, 9)).toMatchObject({ names: [], leadsTo: [['previous', 3]] })
})

test('a service with pages of its own size is followed, within Slack’s limit', async () => {
  const own = { links: links(60), totalItems: 200, totalPages: 4, hasNext: true }
  const page = await shown(own, 2)
  expect(page).toMatchObject({
    names: numbers(1, 40),
    leadsTo: [
      ['previous', 1],
      ['next', 3],
    ],
  })
  expect(page.blocks).toBeLessThanOrEqual(50)
})

test('from beyond the end, Previous leads to the last page that has something', async () => {
  expect((await shown({ totalItems: 12, totalPages: 2 }, 9)).leadsTo).toEqual([['previous', 2]])
  expect((await shown({ totalItems: 0, totalPages: 0 }, 9)).leadsTo).toEqual([['previous', 1]])
  expect((await shown({}, 9)).leadsTo).toEqual([['previous', 1]])
})
