import { LogLevel, WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Caller } from '../../../src/slack/platform/caller.ts'
import { createShowCards } from '../../../src/slack/unfurl/index.ts'
import type { MadeLinks, StoredLink } from '../../../src/workspaces/made-links.ts'
import { fakeCaller, fakePlatform } from '../../support/platform.ts'

const URL_ONE = 'https://go.example.com/one'
const POSTED = { channel: 'C1', ts: '1.0', urls: [URL_ONE] }

/** Unfurls through a Slack that first answers with these errors, and accepts everything afterwards. */
function setUp(errors: readonly string[], known: Partial<StoredLink> = {}) {
  const answers = [...errors]
  const sent: string[] = []
  const logged: { level: number }[] = []
  const client = new WebClient('xoxb-1', {
    retryConfig: { retries: 0 },
    logLevel: LogLevel.ERROR,
    fetch: (_url, init) => {
      sent.push(new URLSearchParams(init?.body as string).get('unfurls') ?? '')
      const error = answers.shift()
      return Promise.resolve(
        Response.json(error === undefined ? { ok: true } : { ok: false, error }),
      )
    },
  })
  const write = (line: string): void => void logged.push(JSON.parse(line) as { level: number })
  const madeLinks: Pick<MadeLinks, 'find'> = {
    find: async (_workspaceId, address) => ({
      address,
      name: 'lnk_1',
      destinationUrl: 'https://example.com/',
      madeAt: 0,
      ...known,
    }),
  }
  const logger = pino({ level: 'debug' }, { write })
  const showCards = createShowCards({ ...fakePlatform(), logger, madeLinks })
  const show = (parts: Partial<Caller> = {}): Promise<void> =>
    showCards(fakeCaller({ client, ...parts }), POSTED)
  return { show, sent, logged }
}

test('only logs what nothing can be done about, and throws any other error', async () => {
  const { show, logged } = setUp(['missing_scope', 'cannot_unfurl_url'])
  await show()
  await show()
  expect(logged).toMatchObject([
    { level: 20, workspaceId: 'T_ONE', code: 'missing_scope' },
    { level: 20, workspaceId: 'T_ONE', code: 'cannot_unfurl_url' },
  ])
  await setUp(['account_inactive']).show() // The app was uninstalled meanwhile.
  await expect(setUp(['internal_error']).show()).rejects.toThrow('internal_error')
  await expect(setUp(['invalid_arguments']).show()).rejects.toThrow('invalid_arguments')
})

test('gives up if Slack refuses the card with and without its picture', async () => {
  const known = { previewTitle: 'Card', previewImageUrl: 'https://go.example.com/card.png' }
  const { show, sent } = setUp(['invalid_blocks', 'invalid_blocks'], known)
  await expect(show()).rejects.toThrow('invalid_blocks')
  expect(sent.map((unfurls) => unfurls.includes('card.png'))).toEqual([true, false])
})

test('uses the link’s title if the preview’s title is empty', async () => {
  const { show, sent } = setUp([], { title: 'Ours', previewTitle: '' })
  await show()
  expect(sent).toEqual([expect.stringContaining('Ours')])
})

test.each([
  'http://go.example.com/card.png',
  'https://localhost/card.png',
  'https://10.0.0.1/card.png',
  'https://[::1]/card.png',
  'https://files.internal/card.png',
  'https://go.example.com/card.svg',
  `https://go.example.com/${'x'.repeat(3000)}.png`,
])('leaves out a picture that Slack can’t show: %s', async (previewImageUrl) => {
  const { show, sent } = setUp([], { previewTitle: 'Card', previewImageUrl })
  await show()
  expect(sent).toEqual([expect.not.stringContaining('"image"')])
})
