import { expect, test } from 'vitest'
import { createFormStates, type FormState } from '../../src/slack/form-state.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'

const keyring = createKeyring([Buffer.alloc(32, 1)])
const states = createFormStates(keyring)
const state: FormState = {
  reply: { userId: 'U1', responseUrl: 'https://hooks.slack.com/commands/T1/2/secret' },
  showUtm: true,
  showPreview: false,
  image: { id: 'F1', name: 'card.png' },
}

test('a state comes back as it was', () => {
  expect(states.open(states.seal(state, 'T1'), 'T1')).toEqual(state)
})

test('nobody can read it, and no other workspace can use it', () => {
  const sealed = states.seal(state, 'T1')
  expect(sealed).not.toContain('hooks')
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('hooks')
  expect(() => states.open(sealed, 'T2')).toThrow()
  expect(() => states.open('', 'T1')).toThrow()
})

test('the longest one fits into private_metadata', () => {
  const long: FormState = {
    ...state,
    reply: { ...state.reply, responseUrl: `https://hooks.slack.com/${'x'.repeat(300)}` },
    image: { id: 'F'.repeat(20), name: '🖼'.repeat(128) },
  }
  expect(states.seal(long, 'T1').length).toBeLessThanOrEqual(3000) // Slack's limit.
})
