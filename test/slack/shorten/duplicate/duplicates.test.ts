import { expect, test } from 'vitest'
import { createDuplicates } from '../../../../src/slack/shorten/duplicate/duplicates.ts'
import { DuplicateError } from '../../../../src/slack/shorten/duplicate/find-duplicate.ts'
import { fakeCaller, fakePlatform } from '../../../support/platform.ts'

const CALLER = fakeCaller()
const TARGET = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }
const duplicateOf = (shortUrl: string): DuplicateError =>
  new DuplicateError(
    {
      destination_url: 'https://example.com/page',
      shortlink_url: shortUrl,
      qrColor: '#1F4F46',
    },
    undefined,
  )
const DUPLICATE = duplicateOf('https://go.example.com/spring')

test('has no modal for a link whose short URL is too long to be carried', () => {
  const duplicates = createDuplicates(fakePlatform())
  const long = duplicateOf(`https://go.example.com/${'x'.repeat(2_000)}`)
  expect(duplicates.modal(CALLER, long, TARGET)).toBeUndefined()
})

test('notify sends the link to the user alone, with what the user typed', async () => {
  const platform = fakePlatform()
  const target = { ...TARGET, threadTs: '1.0', inChannel: true }
  await createDuplicates(platform).notify(CALLER, target, DUPLICATE, 'Title: Kept')
  expect(platform.sent.map(({ target: to }) => to)).toEqual([{ userId: 'U_ANA' }])
  expect(JSON.stringify(platform.sent)).toContain('Title: Kept')
})
