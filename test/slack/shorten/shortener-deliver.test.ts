import { expect, test } from 'vitest'
import type { Replies } from '../../../src/slack/platform/replies.ts'
import { createShortener } from '../../../src/slack/shorten/shortener.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const LINK = {
  name: 'lnk_1',
  destination_url: 'https://example.com/page',
  shortlink_url: 'https://go.example.com/x',
}

test('sends only the link if a bug keeps its message from being built', async () => {
  const platform = fakePlatform()
  const replies: Replies = {
    ...platform.replies,
    sendWithPicture: () => Promise.reject(new TypeError('x is not a function')),
  }
  const shortener = createShortener({ ...platform, replies }, {} as never)
  await shortener.deliver(fakeCaller(), { userId: 'U1' }, LINK)
  expect(platform.sent.map(({ message }) => message.text).join()).toContain(
    'https://go.example.com/x',
  )
})
