import { expect, test } from 'vitest'
import { groupThreads } from '../../../src/playground/page/threads.ts'
import type { Message } from '../../../src/simulator/protocol.ts'

const message = (ts: string, threadTs?: string) => ({ ts, threadTs }) as Message

/** Each thread: the `ts` of its message, and the `ts` of each reply. */
function shape(...messages: Message[]): [string, string[]][] {
  return groupThreads(messages).map(({ message: { ts }, replies }) => [
    ts,
    replies.map((reply) => reply.ts),
  ])
}

test('puts replies below their message, and shows a reply even if its message is gone', () => {
  expect(shape(message('1'), message('2'), message('3', '1'), message('4', '1'))).toEqual([
    ['1', ['3', '4']],
    ['2', []],
  ])
  expect(shape(message('2', '1'))).toEqual([['2', []]])
})
