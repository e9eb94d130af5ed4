import { expect, test } from 'vitest'
import { conversationAt } from '../../../src/playground/page/place.ts'
import type { WorkspaceState } from '../../../src/simulator/protocol.ts'

const general = { id: 'C1', kind: 'channel' }
const dm = { id: 'D1', kind: 'app_dm' }
const state = { conversations: [general, { ...general, id: 'C2' }, dm] } as WorkspaceState

test.each([
  ['#channel/C2', 'C2'],
  ['#app/home', 'D1'],
  ['#app/messages', 'D1'],
  ['#channel/C9', 'C1'],
  ['#channel/D1', 'C1'],
  ['#workflow', 'C1'],
  ['', 'C1'],
])('finds the conversation at %j: %s', (place, id) => {
  expect(conversationAt(state, place).id).toBe(id)
})
