import { expect, test } from 'vitest'
import {
  conversationAt,
  hashOf,
  parsePlace,
  type Place,
} from '../../../src/playground/page/place.ts'
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
])('parses the fragment of %j back into it', (place) => {
  expect(parsePlace(hashOf(place))).toEqual(place)
})

test.each(['', '#', '#app/elsewhere', '#channel/', '#channel/<b>', 'channel/C1'])(
  'finds no place in %j',
  (hash) => {
    expect(parsePlace(hash)).toBeUndefined()
  },
)

test('finds the viewer’s conversation with the app, and the first channel for an unknown place', () => {
  expect(conversationAt(state, { kind: 'app', tab: 'messages' })).toBe(dm)
  expect(conversationAt(state, { kind: 'channel', id: 'C9' })).toBe(general)
  expect(conversationAt(state, undefined)).toBe(general)
})
