import { expect, test } from 'vitest'
import { shareLink } from '../../../src/slack/share/share-link.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

test('shares a link without waiting for its QR code', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const platform = fakePlatform()
  const { sendWithPicture } = platform.replies
  platform.replies.sendWithPicture = async (client, target, source, message) => {
    await sendWithPicture(client, target, { ...source, otherwise: undefined }, message)
    await message.later?.(() => promise)
  }
  const link = {
    shortlink_url: 'https://go.example.com/x',
    destination_url: 'https://example.com/',
    qrColor: '#102030',
  }
  const target = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }
  expect(await shareLink(platform, fakeCaller(), target, link, '1.1')).toBe(true)
  resolve(undefined)
  await platform.tasks.drained()
  expect(platform.sent).toHaveLength(1)
})
