import { expect, test } from 'vitest'
import { slackFileId } from '../../../src/playground/shared/slack-file.ts'

test.each<[file: { id?: unknown; url?: unknown }, id: string | undefined]>([
  [{ id: 'F0123456789' }, 'F0123456789'],
  [{ url: 'https://files.slack.com/files-pri/T0PLAY-F0123456789/qr.png' }, 'F0123456789'],
  [{ url: 'https://playground.slack.com/files/U1/F0123456789/qr.png' }, 'F0123456789'],
  [{ url: 'https://example.com/qr.png' }, undefined],
  [{}, undefined],
])('%j names %s', (file, id) => {
  expect(slackFileId(file)).toBe(id)
})
