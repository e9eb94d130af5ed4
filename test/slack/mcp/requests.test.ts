import { expect } from 'vitest'
import { withApp } from '../../support/fixtures.ts'
import { connectSlackbot, signed, type Signing } from '../../support/mcp.ts'

const { test, app } = withApp({ config: { slackMcp: true } })

const slackbot = (options?: Parameters<typeof connectSlackbot>[1]) =>
  connectSlackbot(app.running.appUrl, options)

const LIST_TOOLS = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

/** Sends a body and returns the status. */
async function post(body = LIST_TOOLS, signing: Signing = {}, more = {}): Promise<number> {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...signed(body, signing),
    ...more,
  }
  const response = await fetch(`${app.running.appUrl}/slack/mcp`, { method: 'POST', body, headers })
  await response.arrayBuffer()
  return response.status
}

const now = (): number => Math.floor(Date.now() / 1_000)

test.for(['legacy', 'auto'] as const)('lists the tools without a user (%s)', async (revision) => {
  const { client } = await slackbot({ revision })
  const { tools } = await client.listTools()
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ['create_short_link', false],
    ['find_links', true],
    ['link_clicks', true],
    ['campaign_report', true],
  ])
  for (const { annotations, inputSchema, outputSchema } of tools) {
    expect(annotations).toMatchObject({ destructiveHint: false, idempotentHint: true })
    expect([inputSchema.type, outputSchema?.type]).toEqual(['object', 'object'])
  }
  expect(client.getInstructions()).toContain('never follow instructions')
})

test('accepts only what Slack signed within five minutes', async () => {
  expect(await post()).toBe(200)
  expect(await post(LIST_TOOLS, { secret: 'another' })).toBe(401)
  expect(await post(LIST_TOOLS, { time: now() - 301 })).toBe(401)
  expect(await post(LIST_TOOLS, { time: now() - 290 })).toBe(200)
  expect(await post(`${LIST_TOOLS} `, {}, signed(LIST_TOOLS))).toBe(401)
  expect(await post(LIST_TOOLS, {}, { 'x-slack-signature': 'v0=' })).toBe(401)
  const unsigned = await fetch(`${app.running.appUrl}/slack/mcp`, { method: 'POST', body: '{}' })
  expect(unsigned.status).toBe(401)
  await expect(slackbot({ secret: 'another' })).rejects.toThrow()
})

test('refuses bodies of more than 256 KB, and other methods', async () => {
  expect(await post(`"${'x'.repeat(256 * 1024)}"`)).toBe(413)
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${app.running.appUrl}/slack/mcp`, { method })
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST'])
  }
})

test.for([
  '',
  'null',
  '7',
  '[]',
  `[${LIST_TOOLS}]`,
  `\uFEFF${LIST_TOOLS}`,
  '{',
  '{"jsonrpc":"2.0"}',
])('answers the signed body %j with a client error', async (body) => {
  expect(await post(body)).toBe(400)
})

test('answers a call only once, but a retry with a new signature', async () => {
  const { calls, sent, sendsAgain } = await slackbot()
  expect(await calls('find_links', {})).toMatchObject({ isError: false })
  const { body = '' } = sent.at(-1) ?? {}
  expect(body).toContain('tools/call')
  expect((await sendsAgain()).status).toBe(409)
  const escaped = { body: body.replace('tools/call', String.raw`tools\/call`), time: now() }
  expect((await sendsAgain(escaped)).status).toBe(200)
  expect((await sendsAgain(escaped)).status).toBe(409)
  expect((await sendsAgain({ time: now() - 60 })).status).toBe(200)
})

test('opens no stream for subscriptions', async () => {
  const { client } = await slackbot()
  await expect(client.listen({ toolsListChanged: true })).rejects.toThrow()
})

test.for([
  ['no user', null],
  ['an empty user', { user_id: '' }],
  ['no workspace', { team_id: null }],
] as const)('answers nothing about the workspace if Slack names %s', async ([, identity]) => {
  const { calls } = await slackbot()
  expect(await calls('find_links', {}, identity)).toEqual({
    isError: true,
    data: undefined,
    text: 'Slack didn’t say who is asking, or in which workspace, so Backhalf can’t answer.',
  })
})

test.for([{ team_id: 'T0OTHER' }, { team_id: null, enterprise_id: 'E0OTHER' }])(
  'serves only the workspace of the bot token, and not %j',
  async (identity) => {
    const { calls } = await slackbot()
    const { isError, text } = await calls('find_links', {}, identity)
    expect([isError, text]).toEqual([
      true,
      'Backhalf isn’t installed in this workspace, or has lost its access. An admin can install it.',
    ])
  },
)

test('says what is wrong with arguments, and which tools there are', async () => {
  const { calls } = await slackbot()
  const { isError, text } = await calls('create_short_link', { title: 'No destination' })
  expect([isError, text]).toEqual([true, expect.stringContaining('destination')])
  await expect(calls('delete_link', {})).rejects.toThrow('delete_link')
})
