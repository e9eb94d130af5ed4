import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'
import { SIGNING_SECRET } from '../../support/workspace.ts'

const { slack, app } = slackForEach()

const shorten = (): Promise<void> => slack.ana.types('/shorten', { in: 'general' })

test('sends the app a command with all of Slack’s fields', async () => {
  await slack.ben.types('/shorten https://example.com/?a=1&b=“2” <x>', { in: 'general' })
  expect(app.last()).toEqual({
    token: expect.any(String) as unknown,
    team_id: 'T0PLAYGROUND',
    team_domain: 'playground',
    channel_id: 'C0GENERAL000',
    channel_name: 'general',
    user_id: slack.ben.id,
    user_name: 'ben',
    command: '/shorten',
    text: 'https://example.com/?a=1&b=“2” <x>',
    api_app_id: 'A0PLAYGROUND',
    is_enterprise_install: 'false',
    response_url: expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:\d+\/playground\/hooks\/T0PLAYGROUND\/[\w-]{24}$/,
    ) as unknown,
    trigger_id: expect.stringMatching(/^\d+\.\d+\.[0-9a-f]{32}$/) as unknown,
  })
})

test('sends a request with Slack’s exact content type and a current timestamp', async () => {
  await shorten()
  const [request] = app.requests
  expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  const timestamp = Number(request?.headers['x-slack-request-timestamp'])
  expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(10)
})

test('signs the bytes of an event', async () => {
  await slack.ana.opensHome()
  const request = await until(() => app.requests[0])
  const timestamp = String(request.headers['x-slack-request-timestamp'])
  const expected = createHmac('sha256', SIGNING_SECRET)
    .update(`v0:${timestamp}:${JSON.stringify(request.body)}`)
    .digest('hex')
  expect(request.headers['x-slack-signature']).toBe(`v0=${expected}`)
})

/** Waits for a change in the app. The workspace reports only its own changes. */
function until<T>(condition: () => T | undefined): Promise<T> {
  return expect
    .poll(condition)
    .toBeDefined()
    .then(() => condition() as T)
}

test('reports a command that the app does not answer in time', async () => {
  app.answerNext('silent')
  await expect(shorten()).rejects.toThrow('/shorten failed with the error "operation_timeout"')
})

test('reports a command that fails, or that can’t reach the app', async () => {
  app.answerNext({ status: 500 })
  await expect(shorten()).rejects.toThrow('/shorten failed with the error "dispatch_failed"')
  await app.close()
  await expect(shorten()).rejects.toThrow('/shorten failed with the error "dispatch_failed"')
})

test('posts the content of an acknowledgement, as text or as JSON', async () => {
  app.answerNext({ text: 'plain' }, { json: { text: 'rich', response_type: 'in_channel' } })
  await shorten()
  expect(slack.ana.newest('general')).toMatchObject({ text: 'plain', ephemeral: true })
  expect(slack.ben.newest('general')).toBeUndefined()
  await shorten()
  expect(slack.ben.newest('general')).toMatchObject({ text: 'rich', ephemeral: false })
})

test('records an acknowledgement that Slack rejects', async () => {
  app.answerNext({ json: { text: 'x', blocks: [{ type: 'marquee' }] } })
  await shorten()
  expect(slack.ana.newest('general')).toBeUndefined()
  expect(slack.refusals()).toMatchObject([{ where: 'ack', error: 'invalid_blocks' }])
})

test('rejects commands in threads, and unknown commands', async () => {
  const [message] = slack.ana.sees('general')
  await expect(
    slack.ana.types('/shorten', { in: 'general', threadTs: message?.ts ?? '' }),
  ).rejects.toThrow('/shorten is not supported in threads. Sorry!')
  await expect(slack.ana.types('/remind me', { in: 'general' })).rejects.toThrow(
    '/remind is not a valid command.',
  )
  expect(app.requests).toEqual([])
})

test('shows a person’s message to everyone, without sending it to the app', async () => {
  await slack.ana.types('  hello <Ben>  ', { in: 'general' })
  expect(slack.ben.sees('general').at(-1)).toMatchObject({
    author: { kind: 'person', id: slack.ana.id },
    text: 'hello &lt;Ben&gt;',
  })
  expect(app.requests).toEqual([])
})

test('rejects messages in read-only direct messages', async () => {
  await expect(slack.ana.types('hello', { in: 'app' })).rejects.toThrow('turned off')
})

test('accepts a reply only to an existing message', async () => {
  const [message] = slack.ana.sees('general')
  await slack.ben.types('indeed', { in: 'general', threadTs: message?.ts ?? '' })
  expect(slack.ana.sees('general').at(-1)).toMatchObject({ text: 'indeed', threadTs: message?.ts })
  await expect(
    slack.ben.types('indeed', { in: 'general', threadTs: '1700000000.000000' }),
  ).rejects.toThrow('no longer exists')
})

test('rejects messages in another person’s direct messages', async () => {
  const { conversations } = slack.workspace.state(slack.ana.id)
  const anas = conversations.find(({ kind }) => kind === 'app_dm')
  const action = { type: 'write' as const, conversation: anas?.id ?? '', text: '/shorten' }
  expect(await slack.workspace.act(slack.ben.id, action)).toMatchObject({ ok: false })
  expect(app.requests).toEqual([])
})
