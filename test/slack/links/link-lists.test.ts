import { expect, test } from 'vitest'
import { goneError } from '../../support/failed-call.ts'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import { NetworkError } from '../../../src/port/failures.ts'
import { FIRST_PAGE } from '../../../src/slack/block-kit/list-position.ts'
import { fetchList } from '../../../src/slack/links/link-lists.ts'
import type { RecordedLink } from '../../../src/workspaces/created-links.ts'
import { createDrivenClock } from '../../support/driven-clock.ts'
import { NO_LINK_SERVICE } from '../../support/platform.ts'

const CALLER = { workspace: { id: 'T_ONE' }, userId: 'U_ANA' }

const shown = (number: number) => ({
  name: `lnk_${number}`,
  shortlink_url: `https://go.example.com/n${number}`,
  destination_url: `https://example.com/${number}`,
  title: `Link ${number}`,
  created_at: '2026-03-01T12:00:00.000Z',
})

const recorded = (number: number): RecordedLink => ({
  ...shown(number),
  address: `go.example.com/n${number}`,
})

/** A record with ten links, and a service whose list can’t be filtered by creator. */
function sourcesWith(get = NO_LINK_SERVICE.get) {
  const capabilities = async () => ({ ...SPECIFICATION, search: true, get: true })
  const links = Array.from({ length: 10 }, (_, index) => recorded(index + 1))
  return {
    clock: createDrivenClock(),
    linkService: { ...NO_LINK_SERVICE, capabilities, get },
    createdLinks: {
      find: async () => undefined,
      list: async () => ({ links, total: 25, hasMore: false }),
    },
  }
}

const MINE = { ...FIRST_PAGE, mine: true } as const

test('adds what only the service knows, four links at a time', async () => {
  let [running, most] = [0, 0]
  const sources = sourcesWith(async (_workspace, name) => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
    return { link: { ...shown(Number(name.slice(4))), clicks: 7, enabled: false } }
  })
  const { links } = await fetchList(sources, CALLER, MINE)
  expect(links).toEqual(
    Array.from({ length: 10 }, (_, index) => ({ ...shown(index + 1), clicks: 7, enabled: false })),
  )
  expect(most).toBe(4)
})

test('shows a link that is gone as deleted, and one without details as recorded', async () => {
  const sources = sourcesWith(async (_workspace, name) => {
    if (name === 'lnk_1') throw goneError()
    throw new NetworkError('ECONNRESET', { reached: true })
  })
  const { links } = await fetchList(sources, CALLER, MINE)
  expect(links.slice(0, 2)).toEqual([
    { ...recorded(1), deleted: true, isUnchecked: true },
    { ...recorded(2), isUnchecked: true },
  ])
})

test('asks for no details if no one will see them', async () => {
  const { links } = await fetchList(sourcesWith(), CALLER, MINE, { details: false })
  expect(links[0]).toEqual({ ...recorded(1), isUnchecked: true })
})

test('does not hide that a call was aborted', async () => {
  const sources = sourcesWith(async () => {
    throw new DOMException('given up', 'AbortError')
  })
  await expect(fetchList(sources, CALLER, MINE)).rejects.toThrow('given up')
})
