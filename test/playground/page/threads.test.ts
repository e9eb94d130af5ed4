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

/** Each thread: the `ts` of its message, and the `ts` of each reply. */
function shape(messages: Message[]): [string, string[]][] {
  return threadsOf(messages).map(({ message: { ts }, replies }) => [
    ts,
    replies.map((reply) => reply.ts),
  ])
}

test('puts replies below their message', () => {
  expect(
    shape([
      message('1', 'ana'),
      message('2', 'ana'),
      message('3', 'app', { threadTs: '1' }),
      message('4', 'ben', { threadTs: '1' }),
    ]),
  ).toEqual([
    ['1', ['3', '4']],
    ['2', []],
  ])
})

test('shows a reply even if its message is gone', () => {
  expect(shape([message('2', 'app', { threadTs: '1' })])).toEqual([['2', []]])
})
