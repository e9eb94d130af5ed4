import { LogLevel, WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createUnfurls } from '../../src/slack/unfurls.ts'
import type { RememberedLink } from '../../src/workspaces/made-links.ts'

const URL_ONE = 'https://go.example.com/one'
const POSTED = { channel: 'C1', ts: '1.0', urls: [URL_ONE] }

/** What is asked of Slack, and logged, where Slack answers with these errors, and then takes all. */
function unfurling(errors: readonly string[], known: Partial<RememberedLink> = {}) {
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
  const unfurls = createUnfurls({
    madeLinks: {
      remember: () => Promise.resolve(),
      find: (_id, address) =>
        Promise.resolve({ address, destinationUrl: 'https://example.com/', madeAt: 0, ...known }),
    },
    logger: pino({ level: 'debug' }, { write }),
  })
  const show = (): Promise<void> =>
    unfurls.show({ workspace: { id: 'T1' }, client, token: '', mayReadFiles: true }, POSTED)
  return { show, sent, logged }
}

test('what nobody can mend is noted and not thrown, and all else is thrown', async () => {
  const { show, logged } = unfurling(['missing_scope', 'cannot_unfurl_url'])
  await show()
  await show()
  expect(logged).toMatchObject([
    { level: 20, workspaceId: 'T1', code: 'missing_scope' },
    { level: 20, workspaceId: 'T1', code: 'cannot_unfurl_url' },
  ])
  await unfurling(['account_inactive']).show() // The app was taken out of the workspace meanwhile.
  await expect(unfurling(['internal_error']).show()).rejects.toThrow('internal_error')
  await expect(unfurling(['invalid_arguments']).show()).rejects.toThrow('invalid_arguments')
})

test('a card that Slack doesn’t take with its picture is tried once without', async () => {
  const imageUrl = 'https://go.example.com/card.png'
  const known = { previewTitle: 'Card', previewImageUrl: imageUrl }
  const once = unfurling(['invalid_blocks'], known)
  await once.show()
  expect(once.sent.map((unfurls) => unfurls.includes(imageUrl))).toEqual([true, false])
  const never = unfurling(['invalid_blocks', 'invalid_blocks'], known)
  await expect(never.show()).rejects.toThrow('invalid_blocks')
  expect(never.sent).toHaveLength(2)
})

test('a preview without a title of its own has the link’s', async () => {
  const { show, sent } = unfurling([], { title: 'Ours', previewTitle: '' })
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
])('Slack is not given a picture that it could not show: %s', async (previewImageUrl) => {
  const { show, sent } = unfurling([], { previewTitle: 'Card', previewImageUrl })
  await show()
  expect(sent).toEqual([expect.not.stringContaining('"image"')])
})
