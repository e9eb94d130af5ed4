import { expect, test } from 'vitest'
import { z } from 'zod'
import { SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import { defineSealedMetadata } from '../../../src/slack/platform/sealed-metadata.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'

const keyring = createKeyring([Buffer.alloc(32, 1)])
const schema = z.object({ responseUrl: z.string() })
const metadata = defineSealedMetadata('form', schema)
const DATA = { responseUrl: 'https://hooks.slack.com/commands/1' }

test('opens what it sealed, and shows nothing of it', () => {
  const sealed = metadata.seal(keyring, DATA, 'T1')
  expect(metadata.open(keyring, sealed, 'T1')).toEqual(DATA)
  expect(Buffer.from(sealed, 'base64url').includes('hooks')).toBe(false)
})

test('opens no data of another workspace, of another kind of view or of another app', () => {
  const sealed = metadata.seal(keyring, DATA, 'T1')
  expect(() => metadata.open(keyring, sealed, 'T2')).toThrow(SlackInputError)
  const otherKind = defineSealedMetadata('checklist', schema)
  expect(() => otherKind.open(keyring, sealed, 'T1')).toThrow(SlackInputError)
  const otherApp = createKeyring([Buffer.alloc(32, 2)])
  expect(() => metadata.open(otherApp, sealed, 'T1')).toThrow(SlackInputError)
})

test.each(['', 'AAAA', 'no base64 !'])(
  'says of %j that the form can’t be used anymore',
  (sealed) => {
    expect(() => metadata.open(keyring, sealed, 'T1')).toThrow('This form can’t be used anymore')
  },
)

test('compresses, so that more data fits into a view', () => {
  const long = { responseUrl: 'https://example.com/'.repeat(400) }
  const sealed = metadata.seal(keyring, long, 'T1')
  expect(sealed.length).toBeLessThan(3_000)
  expect(metadata.open(keyring, sealed, 'T1')).toEqual(long)
})
