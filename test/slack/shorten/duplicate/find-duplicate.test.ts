import { expect, test } from 'vitest'
import { failedCall } from '../../../support/failed-call.ts'
import { findDuplicate } from '../../../../src/slack/shorten/duplicate/find-duplicate.ts'
import type { WorkspaceLinkService } from '../../../../src/slack/links/links.ts'
import { createOperation } from '../../../../src/port/operation.ts'
import { systemClock } from '../../../../src/timing/clock.ts'
import type { Connection } from '../../../../src/workspaces/connection.ts'
import { NO_LINK_SERVICE } from '../../../support/platform.ts'

const WORKSPACE = { id: 'T1' }
const DESTINATION = { destination_url: 'https://example.com/page' }
const REQUEST = { ...DESTINATION, domain: 'dom_2' }
const CONFLICT = failedCall({ status: 409, mayConflict: { backHalf: false } })

const OPERATION = createOperation({ clock: systemClock })

const DOMAINS = [
  { name: 'dom_1', domain_name: 'one.example' },
  { name: 'dom_2', domain_name: 'TWO.example' },
]

/** The link service of a workspace with two domains. */
function serviceWith(
  list: WorkspaceLinkService['list'],
  source: Connection['source'] = 'connected',
): WorkspaceLinkService {
  const connection = async () => ({ apiKey: 'key', source, domains: DOMAINS })
  return { ...NO_LINK_SERVICE, connection, list }
}

test('returns the newest link on the wanted domain, or on any if the configuration names no hostname', async () => {
  const links = ['one', 'two'].map((name) => ({
    ...DESTINATION,
    name,
    shortlink_url: `https://${name}.example/x`,
  }))
  const list = async () => ({ links, skipped: 0, page: 1, perPage: 100, hasNext: false })
  const foundBy = (source: Connection['source']) =>
    findDuplicate(serviceWith(list, source), CONFLICT, WORKSPACE, REQUEST, OPERATION)
  expect(await foundBy('connected')).toEqual(links[1])
  expect(await foundBy('configured')).toEqual(links[0])
})

test('returns nothing if the service is slow to list its links', async () => {
  const slow = serviceWith(
    (_workspace, _query, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  )
  expect(await findDuplicate(slow, CONFLICT, WORKSPACE, REQUEST, OPERATION, 5)).toBeUndefined()
})
