import { expect, test } from 'vitest'
import { conversationAt, hashOf, placeOf, type Place } from '../../../src/playground/page/place.ts'
import type { WorkspaceState } from '../../../src/simulator/protocol.ts'

const general = {
  id: 'C1',
  kind: 'channel' as const,
  name: 'general',
  purpose: '',
  appIsMember: true,
}
const dm = { id: 'D1', kind: 'app_dm' as const, name: 'App', purpose: '', appIsMember: true }
const state = { conversations: [general, dm] } as unknown as WorkspaceState

test.each<Place>([
  { kind: 'channel', id: 'C1' },
  { kind: 'app', tab: 'home' },
  { kind: 'app', tab: 'messages' },
  { kind: 'workflow' },
])('%j comes back from its address', (place) => {
  expect(placeOf(hashOf(place))).toEqual(place)
})

test.each(['', '#', '#app/elsewhere', '#channel/', '#channel/<b>', 'channel/C1'])(
  '%j names no place',
  (hash) => {
    expect(placeOf(hash)).toBeUndefined()
  },
)

test('the app’s conversation is that of whoever looks; a place that is gone is the first channel', () => {
  expect(conversationAt(state, { kind: 'app', tab: 'messages' })).toBe(dm)
  expect(conversationAt(state, { kind: 'channel', id: 'C9' })).toBe(general)
  expect(conversationAt(state, undefined)).toBe(general)
})
