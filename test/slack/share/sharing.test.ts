import { expect, test } from 'vitest'
import type { Platform } from '../../../src/slack/platform/platform.ts'
import { createSharing } from '../../../src/slack/share/index.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const CALLER = fakeCaller()
const ref = { shortlink_url: 'https://go.example.com/x', destination_url: 'https://example.com/' }
const target = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }

/** Sharing through a Slack that first fails a few times. */
function setUp({
  failures = 0,
  ...parts
}: { failures?: number } & Partial<Pick<Platform, 'qrPictures'>> = {}) {
  const platform = fakePlatform(parts)
  const { sent, replies } = platform
  const sharing = createSharing({
    ...platform,
    replies: {
      ...replies,
      async sendWithPicture(client, to, picture, build) {
        if (failures-- > 0) throw new Error('Slack is down')
        await replies.sendWithPicture(client, to, picture, build)
      },
    },
  })
  return { sharing, sent, tasks: platform.tasks }
}

test('shares a link without waiting for its QR code, and even without one', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const { sharing, sent, tasks } = setUp({ qrPictures: { picture: () => promise } })
  expect(await sharing.share(CALLER, target, { ...ref, qrColor: '#102030' }, '1.1')).toBe('shared')
  resolve(undefined)
  await tasks.drained()
  expect(sent).toHaveLength(1)
})

test('can be tried again at once after a failure', async () => {
  const { sharing, sent } = setUp({ failures: 1 })
  await expect(sharing.share(CALLER, target, ref, '1.1')).rejects.toThrow('Slack is down')
  await sharing.share(CALLER, target, ref, '1.1')
  expect(sent).toHaveLength(1)
})
