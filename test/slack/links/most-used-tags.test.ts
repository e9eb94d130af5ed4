import { expect, test } from 'vitest'
import { SPECIFICATION } from '../../../src/port/capabilities.ts'
import { createMostUsedTags } from '../../../src/slack/links/most-used-tags.ts'
import { ALL_OFFERS } from '../../support/offers-document.ts'
import { createFakeClock } from '../../support/platform.ts'

const workspace = { id: 'T1' }
const capabilities = async () => ALL_OFFERS
const named = (...names: string[]) => names.map((name) => ({ name, links: 1 }))

test('names the five most used, and reads them again in the background after a minute', async () => {
  const clock = createFakeClock()
  let tags = async () => named('a', 'b', 'c', 'd', 'e', 'f')
  const mostUsedTags = createMostUsedTags(clock, { capabilities, tags: () => tags() })
  expect(await mostUsedTags(workspace)).toEqual(['a', 'b', 'c', 'd', 'e'])

  tags = async () => named('z')
  clock.advance(59_000)
  expect(await mostUsedTags(workspace)).toEqual(['a', 'b', 'c', 'd', 'e'])
  clock.advance(2_000)
  expect(await mostUsedTags(workspace)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(await mostUsedTags(workspace)).toEqual(['z'])

  tags = () => Promise.reject(new Error('the service is down'))
  clock.advance(61_000)
  expect(await mostUsedTags(workspace)).toEqual(['z'])
  expect(await mostUsedTags(workspace)).toEqual(['z'])
})

test('names none if they can’t be read in time, or if the service has none', async () => {
  const clock = createFakeClock()
  const never = () => new Promise<never>(() => undefined)
  const names = createMostUsedTags(clock, { capabilities, tags: never })(workspace)
  await clock.endSleep(250)
  expect(await names).toEqual([])

  const failed = createMostUsedTags(clock, {
    capabilities,
    tags: () => Promise.reject(new Error()),
  })
  expect(await failed(workspace)).toEqual([])
  const none = createMostUsedTags(clock, { capabilities: async () => SPECIFICATION, tags: never })
  expect(await none(workspace)).toEqual([])
})
