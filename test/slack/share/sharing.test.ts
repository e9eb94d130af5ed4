import type { ModalView } from '@slack/types'
import { expect, test } from 'vitest'
import type { Platform } from '../../../src/slack/platform/platform.ts'
import { createSharing } from '../../../src/slack/share/index.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const CALLER = fakeCaller()
const ref = { shortUrl: 'https://go.example.com/x', destination: 'https://example.com/' }
const target = { userId: 'U_ANA', responseUrl: 'https://hooks.example.com/1' }

/** Sharing through a Slack that first fails a few times, or whose response_url is used up. */
function setUp({
  isUsedUp = false,
  failures = 0,
  ...parts
}: { isUsedUp?: boolean; failures?: number } & Partial<Pick<Platform, 'qrPictures'>> = {}) {
  const platform = fakePlatform(parts)
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
  return { sharing, sent, tasks: platform.tasks }
}

test('shows the link to everyone in the conversation, and then its QR code if it has one', async () => {
  const { sharing, sent, tasks } = setUp()
  expect(await sharing.share(CALLER, target, ref, '1.1')).toBe('shared')
  expect(await sharing.share(CALLER, target, { ...ref, qrColor: '#102030' }, '2.2')).toBe('shared')
  await tasks.drained()
  expect(sent.map((one) => one.target)).toEqual(sent.map(() => ({ ...target, inChannel: true })))
  expect(sent[0]?.message.text).toBe('<@U_ANA> shared a short link: https://go.example.com/x')
  expect(sent.map(({ message }) => message.blocks.map(({ type }) => type))).toEqual([
    ['section', 'context'],
    ['section', 'context'],
    ['context', 'image'],
  ])
})

test('shows the QR code in the same message if it needs no upload', async () => {
  const picture = { image_url: 'https://app.example.com/q.png' }
  const { sharing, sent } = setUp({ qrPictures: { picture: () => picture } })
  await sharing.share(CALLER, target, { ...ref, qrColor: '#102030' }, '1.1')
  expect(sent.map(({ message }) => message.blocks.map(({ type }) => type))).toEqual([
    ['section', 'image', 'context'],
  ])
})

test('shares a link without waiting for its QR code, and even without one', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const { sharing, sent, tasks } = setUp({ qrPictures: { picture: () => promise } })
  expect(await sharing.share(CALLER, target, { ...ref, qrColor: '#102030' }, '1.1')).toBe('shared')
  resolve(undefined)
  await tasks.drained()
  expect(sent).toHaveLength(1)
})

test('shares a link once for each element, however often the user clicks', async () => {
  const { sharing, sent } = setUp()
  const share = (place = '1.1') => sharing.share(CALLER, target, ref, place)
  expect(await Promise.all([share(), share()])).toEqual(['shared', 'under_way'])
  expect(await share()).toBe('done_before')
  expect(sent).toHaveLength(1)
  expect(await share('2.2')).toBe('shared')
  expect(sent).toHaveLength(2)
})

test('can be tried again at once after a failure', async () => {
  const { sharing, sent } = setUp({ failures: 1 })
  await expect(sharing.share(CALLER, target, ref, '1.1')).rejects.toThrow('Slack is down')
  await sharing.share(CALLER, target, ref, '1.1')
  expect(sent).toHaveLength(1)
})

test('tells the user if Slack did not allow it', async () => {
  const { sharing, sent } = setUp({ isUsedUp: true })
  expect(await sharing.share(CALLER, target, ref, '1.1')).toBe('not_allowed')
  expect(sent[0]?.message.text).toBe(
    'Slack didn’t allow Backhalf to share https://go.example.com/x there. Paste it into the conversation, or open the list again and share it there.',
  )
})

test('shows the QR code, in black if the link has no color', async () => {
  const drawn: unknown[] = []
  const platform = fakePlatform({
    qrPictures: { picture: async (_client, content) => void drawn.push(content) },
  })
  const sharing = createSharing(platform)
  const views: ModalView[] = []
  const show = async (view: ModalView): Promise<void> => void views.push(view)
  await sharing.showQr(CALLER, ref, show)
  await sharing.showQr(CALLER, { ...ref, qrColor: '#102030' }, show)
  expect(drawn).toEqual([
    { text: 'https://go.example.com/x', color: '#000000' },
    { text: 'https://go.example.com/x', color: '#102030' },
  ])
  expect(views.map(({ title }) => title.text)).toEqual(['QR code', 'QR code'])
})
