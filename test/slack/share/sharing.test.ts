import { expect, test } from 'vitest'
import { createSharing } from '../../../src/slack/share/sharing.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const CALLER = fakeCaller()
const ref = { shortUrl: 'https://go.example.com/x', destination: 'https://example.com/' }
const target = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }

/** Sharing through a Slack that first fails a few times, or whose response_url is used up. */
function setUp({ isUsedUp = false, failures = 0 } = {}) {
  const platform = fakePlatform()
  const { sent, replies } = platform
  const sharing = createSharing({
    ...platform,
    replies: {
      ...replies,
      async sendWithPicture(client, to, picture, build) {
        if (failures-- > 0) throw new Error('Slack is down')
        const reached = isUsedUp ? { userId: to.userId } : to
        await replies.sendWithPicture(client, reached, picture, build)
      },
    },
  })
  return { sharing, sent, clock: platform.clock }
}

test('shows the link to everyone in the conversation, with its QR code if it has one', async () => {
  const { sharing, sent } = setUp()
  expect(await sharing.share(CALLER, target, ref, '1.1')).toBe(true)
  expect(await sharing.share(CALLER, target, { ...ref, qrColor: '#102030' }, '2.2')).toBe(true)
  expect(sent).toMatchObject([
    {
      target: { ...target, inChannel: true },
      message: { text: '<@U_ANA> shared a short link: https://go.example.com/x' },
    },
    { target: { ...target, inChannel: true } },
  ])
  expect(sent.map(({ message }) => message.blocks.map(({ type }) => type))).toEqual([
    ['section', 'context'],
    ['section', 'image', 'context'],
  ])
})

test('ignores a second click on the same element for two seconds', async () => {
  const { sharing, sent, clock } = setUp()
  const share = (place = '1.1') => sharing.share(CALLER, target, ref, place)
  await Promise.all([share(), share()])
  await share()
  expect(sent).toHaveLength(1)
  await share('2.2')
  expect(sent).toHaveLength(2)
  clock.advance(1_999)
  await share()
  expect(sent).toHaveLength(2)
  clock.advance(1)
  await share()
  expect(sent).toHaveLength(3)
})

test('can be tried again at once after a failure', async () => {
  const { sharing, sent } = setUp({ failures: 1 })
  await expect(sharing.share(CALLER, target, ref, '1.1')).rejects.toThrow('Slack is down')
  await sharing.share(CALLER, target, ref, '1.1')
  expect(sent).toHaveLength(1)
})

test('tells the user if Slack did not allow it', async () => {
  const { sharing, sent } = setUp({ isUsedUp: true })
  expect(await sharing.share(CALLER, target, ref, '1.1')).toBe(false)
  expect(sent[0]?.message.text).toBe(
    'Slack didn’t allow Backhalf to share https://go.example.com/x there. Paste it into the conversation, or open the list again and share it from there.',
  )
})

test('shows the QR code to the user alone, in black if the link has no color', async () => {
  const drawn: unknown[] = []
  const platform = fakePlatform({
    qrPictures: { picture: async (_client, content) => void drawn.push(content) },
  })
  const sharing = createSharing(platform)
  await sharing.showQr(CALLER, target, ref)
  await sharing.showQr(CALLER, target, { ...ref, qrColor: '#102030' })
  expect(drawn).toEqual([
    { text: 'https://go.example.com/x', color: '#000000' },
    { text: 'https://go.example.com/x', color: '#102030' },
  ])
  const notShown = 'Slack doesn’t accept the QR image right now. Try again in a minute.'
  expect(platform.sent).toMatchObject([
    { target, message: { text: notShown } },
    { target, message: { text: notShown } },
  ])
})
