import { expect, test } from 'vitest'
import { createTriggers } from '../../../src/simulator/app/triggers.ts'

const ORIGIN = { viewerId: 'U1', conversationId: 'C1' }

test('accepts a trigger once', () => {
  const triggers = createTriggers(() => 0)
  const id = triggers.issue(ORIGIN)
  expect(triggers.take(id)).toEqual({ ok: true, origin: ORIGIN })
  expect(triggers.take(id)).toEqual({ ok: false, error: 'exchanged_trigger_id' })
})

test('rejects a trigger after three seconds', () => {
  let now = 0
  const triggers = createTriggers(() => now)
  const [first, second] = [triggers.issue(ORIGIN), triggers.issue(ORIGIN)]
  now = 3000
  expect(triggers.take(first).ok).toBe(true)
  now = 3001
  expect(triggers.take(second)).toEqual({ ok: false, error: 'expired_trigger_id' })
})

test('rejects a trigger that was never issued', () => {
  expect(createTriggers(() => 0).take('1.2.3')).toEqual({ ok: false, error: 'invalid_trigger_id' })
})
