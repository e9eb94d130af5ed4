import type { Finding } from '../doctor/check.ts'
import type { Terminal } from './terminal.ts'

/** Asks something, and checks the answer. */
export interface CheckedQuestion<A> {
  ask: () => Promise<A>
  /** The first finding is about the answer itself. Others are about what depends on it, such as scopes. */
  check: (answer: A) => Promise<Finding[]>
  /** What is checked, for the line that says so, such as `the bot token`. */
  what: string
  /** Whether an answer that does not work yet may be kept, such as an address that is set up later. */
  mayWork?: 'later'
}

/** Asks until the answer is accepted, or until the user keeps one that could not be checked. */
export async function askUntilAccepted<A>(
  terminal: Terminal,
  { ask, check, what, mayWork }: CheckedQuestion<A>,
): Promise<A> {
  for (;;) {
    const answer = await ask()
    for (let again = true; again;) {
      const findings = await terminal.wait(`Checking ${what} …`, check(answer))
      for (const finding of findings) reportFinding(terminal, finding)
      const [first] = findings
      if (findings.every(({ status }) => status === 'ok')) return answer
      const isRefused = first?.status === 'failed' && !first.isInconclusive
      if (isRefused && mayWork !== 'later') break
      const next = await terminal.choose('What do you want to do?', [
        { value: 'again', name: 'Check again', description: 'Choose this when you have fixed it.' },
        { value: 'other', name: 'Enter something else' },
        {
          value: 'keep',
          name: 'Keep it as it is',
          description: 'You can fix it later: npm run doctor checks it again.',
        },
      ])
      if (next === 'keep') return answer
      again = next === 'again'
    }
  }
}

function reportFinding(terminal: Terminal, { status, message, fix }: Finding): void {
  const mark = status === 'ok' ? 'good' : status === 'failed' ? 'bad' : 'warning'
  // Some fixes only say to run the doctor again.
  terminal.report(mark, message, fix?.includes('the doctor') ? undefined : fix)
}
