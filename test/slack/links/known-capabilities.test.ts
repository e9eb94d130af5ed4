import { pino } from 'pino'
import { expect, test } from 'vitest'
import { SPECIFICATION, type Capabilities } from '../../../src/port/capabilities.ts'
import type { LinkService } from '../../../src/port/link-service.ts'
import { OUR_CREATE_FIELDS } from '../../../src/contract/link-fields.ts'
import { createInFlightTasks } from '../../../src/http/in-flight-tasks.ts'
import { createKnownCapabilities } from '../../../src/slack/links/workspace-link-service.ts'
import { createFakeClock } from '../../support/platform.ts'

const HOUR_MS = 3_600_000
const UNKNOWN = undefined
const EXPIRY: Capabilities = { ...SPECIFICATION, fields: OUR_CREATE_FIELDS }
const never = new Promise<undefined>(() => undefined)

/** A service that answers each read with the next of `answers`. */
function setUp(...answers: (Capabilities | undefined | Promise<undefined>)[]) {
  const clock = createFakeClock()
  const tasks = createInFlightTasks(pino({ level: 'silent' }))
  /** The keys with which the capabilities were read. */
  const reads: string[] = []
  const known = createKnownCapabilities({
    clock,
    tasks,
    linkClient: (key) => {
      reads.push(key)
      return { readCapabilities: async () => answers.shift() } as unknown as LinkService
    },
  })
  return {
    clock,
    reads,
    known,
    /** What is known; then waits for the read in the background, if there is one. */
    ask: async (key = 'key-1') => {
      const capabilities = await known(key)
      await tasks.drained()
      return capabilities
    },
  }
}

test('reads the capabilities to each key once a day, then again in the background', async () => {
  const { ask, clock, reads } = setUp(EXPIRY, SPECIFICATION, SPECIFICATION)
  expect(await ask()).toEqual(EXPIRY)
  expect(await ask('key-2')).toEqual(SPECIFICATION)
  clock.advance(23 * HOUR_MS)
  expect(await ask()).toEqual(EXPIRY)
  expect(reads).toEqual(['key-1', 'key-2'])
  clock.advance(2 * HOUR_MS)
  expect(await ask()).toEqual(EXPIRY)
  expect(await ask()).toEqual(SPECIFICATION)
  expect(reads).toEqual(['key-1', 'key-2', 'key-1'])
})

test.each([
  ['keeps the earlier capabilities', EXPIRY],
  ['says that nothing is known', UNKNOWN],
])('%s if the service can’t be asked, and asks again after a minute', async (_what, earlier) => {
  const first = earlier === EXPIRY ? [EXPIRY] : []
  const { ask, clock, reads } = setUp(...first, undefined, SPECIFICATION)
  if (earlier === EXPIRY) await ask()
  clock.advance(25 * HOUR_MS)
  await ask()
  expect(await ask()).toEqual(earlier)
  const failed = reads.length
  clock.advance(61_000)
  await ask()
  expect(await ask()).toEqual(SPECIFICATION)
  expect(reads).toHaveLength(failed + 1)
})

test('waits for the first read for a second and a half at most, and not for another read', async () => {
  const first = setUp(never)
  const [capabilities] = await Promise.all([first.known('key-1'), first.clock.endSleep(1_500)])
  expect(capabilities).toEqual(UNKNOWN)

  const { ask, known, clock } = setUp(EXPIRY, never)
  await ask()
  clock.advance(25 * HOUR_MS)
  expect(await known('key-1')).toEqual(EXPIRY)
})
