import { expect, test } from 'vitest'
import { slackForEach } from '../../support/slack-for-each.ts'

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

test('reports a command that the app does not respond to in time', async () => {
  app.answerNext('silent')
  await expect(shorten()).rejects.toThrow('/shorten failed with the error "operation_timeout"')
})

test('reports a command that fails, or that can’t reach the app', async () => {
  app.answerNext({ status: 500 })
  await expect(shorten()).rejects.toThrow('/shorten failed with the error "dispatch_failed"')
  await app.close()
  await expect(shorten()).rejects.toThrow('/shorten failed with the error "dispatch_failed"')
})

test('records an acknowledgement that Slack rejects', async () => {
  app.answerNext({ json: { text: 'x', blocks: [{ type: 'marquee' }] } })
  await shorten()
  expect(slack.ana.newest('general')).toBeUndefined()
  expect(slack.refusals()).toMatchObject([{ where: 'ack', error: 'invalid_blocks' }])
})

test('rejects commands in threads, and unknown commands', async () => {
  const [message] = slack.ana.sees('general')
  const inThread = slack.ana.types('/shorten', { in: 'general', threadTs: message?.ts ?? '' })
  await expect(inThread).rejects.toThrow('/shorten is not supported in threads. Sorry!')
  const unknown = slack.ana.types('/remind me', { in: 'general' })
  await expect(unknown).rejects.toThrow('/remind is not a valid command.')
  expect(app.requests).toEqual([])
})

test('adds the app to a channel by /invite', async () => {
  await expect(slack.ana.types('/invite @Nobody', { in: 'marketing' })).rejects.toThrow('not a')
  await slack.ana.types('/invite @backhalf', { in: 'marketing' })
  const { conversations } = slack.workspace.state(slack.ana.id)
  expect(conversations.find(({ name }) => name === 'marketing')?.appIsMember).toBe(true)
  expect(app.requests).toEqual([])
})

test('rejects messages in read-only direct messages', async () => {
  await expect(slack.ana.types('hello', { in: 'app' })).rejects.toThrow('turned off')
})

test('accepts a reply only to an existing message', async () => {
  const [message] = slack.ana.sees('general')
  const reply = (threadTs: string) => slack.ben.types('indeed', { in: 'general', threadTs })
  await reply(message?.ts ?? '')
  expect(slack.ana.sees('general').at(-1)).toMatchObject({ text: 'indeed', threadTs: message?.ts })
  await expect(reply('1700000000.000000')).rejects.toThrow('no longer exists')
})

test('rejects messages in another person’s direct messages', async () => {
  const { conversations } = slack.workspace.state(slack.ana.id)
  const anas = conversations.find(({ kind }) => kind === 'app_dm')
  const action = { type: 'write' as const, conversation: anas?.id ?? '', text: '/shorten' }
  expect(await slack.workspace.act(slack.ben.id, action)).toMatchObject({ ok: false })
  expect(app.requests).toEqual([])
})
