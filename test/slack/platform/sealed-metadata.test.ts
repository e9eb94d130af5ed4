import { expect, test } from 'vitest'
import { z } from 'zod'
import { SlackInputError } from '../../../src/slack/platform/field-errors.ts'
import { createSealedMetadata } from '../../../src/slack/platform/sealed-metadata.ts'
import { createKeyring } from '../../../src/workspaces/keyring.ts'

const keyring = createKeyring([Buffer.alloc(32, 1)])
const schema = z.object({ responseUrl: z.string() })
const metadata = createSealedMetadata(keyring, 'form', schema)
const DATA = { responseUrl: 'https://hooks.slack.com/commands/1' }

test('opens what it sealed, and shows nothing of it', () => {
  const sealed = metadata.seal(DATA, 'T1')
  expect(metadata.open(sealed, 'T1')).toEqual(DATA)
  expect(Buffer.from(sealed, 'base64url').includes('hooks')).toBe(false)
})

const UNREADABLE = new SlackInputError([
  { message: 'Backhalf can’t read this form anymore. Open it again to start over.' },
])

test('opens no data of another workspace, of another kind of view or of another app', () => {
  const sealed = metadata.seal(DATA, 'T1')
  expect(() => metadata.open(sealed, 'T2')).toThrow(UNREADABLE)
  const otherKind = createSealedMetadata(keyring, 'checklist', schema)
  expect(() => otherKind.open(sealed, 'T1')).toThrow(UNREADABLE)
  const otherApp = createSealedMetadata(createKeyring([Buffer.alloc(32, 2)]), 'form', schema)
  expect(() => otherApp.open(sealed, 'T1')).toThrow(UNREADABLE)
})

test('compresses, so that more data fits into a view', () => {
  const long = { responseUrl: 'https://example.com/'.repeat(400) }
  const sealed = metadata.seal(long, 'T1')
  expect(sealed.length).toBeLessThan(3_000)
  expect(metadata.open(sealed, 'T1')).toEqual(long)
})
