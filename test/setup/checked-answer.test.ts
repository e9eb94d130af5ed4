import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { failed, inconclusive, ok, type Finding } from '../../src/doctor/check.ts'
import { askUntilAccepted } from '../../src/setup/checked-answer.ts'
import { createTerminal } from '../../src/setup/terminal.ts'

/** Answers `first` and then `second`. Asked what to do, it chooses to keep the answer. */
async function accepted(finding: Finding): Promise<string> {
  const { signal } = new AbortController()
  const quiet = createTerminal({ input: new PassThrough(), output: new PassThrough(), signal })
  const answers = ['first', 'second']
  return askUntilAccepted(
    { ...quiet, choose: <V>() => Promise.resolve('keep' as V) },
    {
      what: 'the answer',
      ask: () => Promise.resolve(answers.shift() ?? ''),
      check: (answer) => Promise.resolve([answer === 'first' ? finding : ok('It', 'Good.')]),
    },
  )
}

test('an answer can be kept if its check had no result, whatever the message says', async () => {
  expect(await accepted(inconclusive('It', 'No one knows.', 'Wait.'))).toBe('first')
})

test('an answer that is wrong is asked for again, whatever the message says', async () => {
  expect(await accepted(failed('It', 'Not checked: it is wrong.', 'Correct it.'))).toBe('second')
})
