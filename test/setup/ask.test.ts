import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { failed, inconclusive } from '../../src/doctor/check.ts'
import { areAccepted } from '../../src/setup/ask.ts'
import { createTerminal } from '../../src/setup/terminal.ts'

test.each([
  [true, 'a check that came to no result', inconclusive('It', 'No one knows.', 'Wait.')],
  [false, 'a refusal', failed('It', 'Not checked: it is wrong.', 'Correct it.')],
])(
  'that an answer may be kept is %s after %s, whatever the message says',
  async (kept, _, finding) => {
    const { signal } = new AbortController()
    const quiet = createTerminal({ input: new PassThrough(), output: new PassThrough(), signal })
    const terminal = { ...quiet, choose: <V>() => Promise.resolve('keep' as V) }
    const check = () => Promise.resolve([finding])
    expect(await areAccepted(terminal, { what: 'the answer' }, check)).toBe(kept)
  },
)
