import { expect, test } from 'vitest'
import { defineSealedMetadata } from '../../../src/slack/platform/sealed-metadata.ts'
import { formState, type FormState } from '../../../src/slack/shorten/form-view.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'

test('the form’s state fits in private_metadata even at its longest', () => {
  const keyring = createKeyring([Buffer.alloc(32, 7)])
  const metadata = defineSealedMetadata('shorten form', formState)
  const state: FormState = {
    reply: { userId: 'U1', responseUrl: `https://hooks.slack.com/${'x'.repeat(300)}` },
    showUtm: true,
    showPreview: false,
    filled: 2,
    image: { id: 'F'.repeat(20), name: '🖼'.repeat(128) },
  }
  expect(metadata.seal(keyring, state, 'T1').length).toBeLessThanOrEqual(3000) // Slack's limit.
})
