import { DRIVERS } from '../../drivers/drivers.ts'
import type { CheckContext } from '../check-specification.ts'
import { shownText } from '../shown-text.ts'
import { checkDriver } from './driver-checks.ts'

const MARKS = { works: '✓', lacking: '–', wrong: '✗' } as const
const PAUSE_MS = 250

// The user agent of a browser, because services count only browsers as visitors.
const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Checks a link service of another kind, such as Kutt, through its driver. @returns the exit code */
export async function checkService(context: CheckContext): Promise<number> {
  const { kind, baseUrl, json, apiKey, key, transport, visits, clock, out, err } = context
  const { label, load } = DRIVERS[kind]
  err(`This creates about ten links at ${label} (${baseUrl}), and deletes them if it can.\n`)
  if (!(await context.isConfirmed())) return 1
  const create = await load()
  const access = { transport, baseUrl, clock }
  const findings = await checkDriver({
    service: create({ ...access, apiKey }),
    withWrongKey: create({ ...access, apiKey: 'backhalf-tries-a-wrong-key' }),
    pause: () => clock.sleep(PAUSE_MS),
    runId: `backhalf${clock.now().toString(36)}`,
    async visit(url) {
      const headers = { 'user-agent': BROWSER }
      const response = await visits.send({ method: 'GET', url, headers })
      return response.header('location')
    },
  })
  const lines = findings.map(({ what, status, detail }) => {
    const shown = detail === undefined ? '' : `: ${shownText(detail, key)}`
    return `  ${MARKS[status]}  ${what}${shown}\n`
  })
  const isWrong = findings.some(({ status }) => status === 'wrong')
  out(json ? `${JSON.stringify({ works: !isWrong, findings }, null, 2)}\n` : lines.join(''))
  return isWrong ? 1 : 0
}
