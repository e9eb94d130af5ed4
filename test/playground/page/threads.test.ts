import { expect, test } from 'vitest'
import { threadsOf } from '../../../src/playground/page/threads.ts'
import type { Message } from '../../../src/simulator/protocol.ts'

function message(ts: string, by: string, more: Partial<Message> = {}): Message {
  return {
    ts,
    author: by === 'app' ? { kind: 'app' } : { kind: 'person', id: by },
    text: `${by} at ${ts}`,
    ephemeral: false,
    edited: false,
    ...more,
  }
}

/** Each thread: the `ts` of its message, the `ts` of each reply, and whether it is continued. */
function shape(messages: Message[]): [string, string[], boolean][] {
  return threadsOf(messages).map(({ message: root, replies, continued }) => [
    root.ts,
    replies.map(({ ts }) => ts),
    continued,
  ])
}

test('groups messages of one author within five minutes', () => {
  const messages = ['100', '200', '499', '800'].map((ts) => message(ts, 'ana'))
  expect(shape([...messages, message('801', 'ben')])).toEqual([
    ['100', [], false],
    ['200', [], true],
    ['499', [], true],
    ['800', [], false],
    ['801', [], false],
  ])
})

test('puts replies below their message, which ends a group', () => {
  expect(
    shape([
      message('1', 'ana'),
      message('2', 'ana'),
      message('3', 'app', { threadTs: '1' }),
      message('4', 'ben', { threadTs: '1' }),
    ]),
  ).toEqual([
    ['1', ['3', '4'], false],
    ['2', [], false],
  ])
})

test('does not group ephemeral messages', () => {
  expect(
    shape([message('1', 'app'), message('2', 'app', { ephemeral: true }), message('3', 'app')]).map(
      ([, , continued]) => continued,
    ),
  ).toEqual([false, false, false])
})

test('shows a reply even if its message is gone', () => {
  expect(shape([message('2', 'app', { threadTs: '1' })])).toEqual([['2', [], false]])
})
