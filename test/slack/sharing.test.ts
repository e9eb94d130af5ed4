import { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import type { MessageContent } from '../../src/slack/block-kit/elements.ts'
import { createSharing } from '../../src/slack/sharing.ts'

const ref = { shortUrl: 'https://go.example.com/x', destination: 'https://example.com/' }
const target = { userId: 'U1', responseUrl: 'https://hooks.example.com/1' }

/** Sharing in front of a Slack that notes; `takesNoMore`: a response_url that is used up. */
function setUp({ takesNoMore = false, fails = 0 } = {}) {
  const sent: MessageContent[] = []
  let failures = fails
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const sharing = createSharing({
    replies: {
      send: () => Promise.reject(new Error('not asked for here')),
      replace: () => Promise.reject(new Error('not asked for here')),
      sendWithPicture: (_client, _target, picture, draw) => {
        if (failures-- > 0) return Promise.reject(new Error('Slack is down'))
        sent.push(draw({ picture, direct: takesNoMore }))
        return Promise.resolve()
      },
    },
    qrPictures: { picture: () => Promise.reject(new Error('not asked for here')) },
    wait: () => promise,
  })
  const share = (place = '1.1'): Promise<boolean> =>
    sharing.share(new WebClient(), target, ref, place)
  return { share, sent, later: () => resolve(undefined) }
}

test('a second click of the same moment shares nothing twice; a later one does', async () => {
  const { share, sent, later } = setUp()
  await Promise.all([share(), share()])
  await share()
  expect(sent).toHaveLength(1)
  await share('2.2')
  expect(sent).toHaveLength(2)
  later()
  await Promise.resolve()
  await share()
  expect(sent).toHaveLength(3)
})

test('what failed can be tried again at once', async () => {
  const { share, sent } = setUp({ fails: 1 })
  await expect(share()).rejects.toThrow('Slack is down')
  await share()
  expect(sent).toHaveLength(1)
})

test('where the conversation takes nothing more, the person is not told that it was shared', async () => {
  const { share, sent } = setUp({ takesNoMore: true })
  expect(await share()).toBe(false)
  expect(sent[0]?.text).toContain('Slack didn’t let me share https://go.example.com/x there')
})
