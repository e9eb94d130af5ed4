import { expect, test } from 'vitest'
import { replyTarget } from '../../src/slack/reply-target.ts'

const responseUrl = 'https://hooks.slack.com/commands/1'

test('a command is answered where it was typed', () => {
  expect(replyTarget({ user_id: 'U1', response_url: responseUrl })).toEqual({
    userId: 'U1',
    responseUrl,
    threadTs: undefined,
  })
})

test('a button in a thread is answered in that thread', () => {
  expect(
    replyTarget({
      type: 'block_actions',
      user: { id: 'U1' },
      response_url: responseUrl,
      container: { thread_ts: '1.0' },
    }),
  ).toEqual({ userId: 'U1', responseUrl, threadTs: '1.0' })
})

test('a message shortcut is answered in the message’s thread, where everybody sees it', () => {
  const payload = { type: 'message_action', user: { id: 'U1' }, response_url: responseUrl }
  const expected = { userId: 'U1', responseUrl, inChannel: true }
  expect(replyTarget({ ...payload, message: { ts: '1.0' } })).toEqual({
    ...expected,
    threadTs: '1.0',
  })
  expect(replyTarget({ ...payload, message: { ts: '2.0', thread_ts: '1.0' } })).toEqual({
    ...expected,
    threadTs: '1.0',
  })
})

test('a form is answered in the conversation that was chosen in it, if one was', () => {
  const payload = { type: 'view_submission', user: { id: 'U1' } }
  expect(replyTarget({ ...payload, response_urls: [{ response_url: responseUrl }] })).toMatchObject(
    { userId: 'U1', responseUrl },
  )
  expect(replyTarget({ ...payload, response_urls: [] }).responseUrl).toBeUndefined()
})
