import { DatabaseSync } from 'node:sqlite'
import type { Logger } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { sqlitePath } from '../src/database/database-url.ts'
import { startAppElsewhere } from './support/app-elsewhere.ts'
import { startApp, type TestApp } from './support/app.ts'
import { created, failure, type Responder } from './support/fake-link-service.ts'
import { recordingLogger } from './support/recording-logger.ts'
import { call, create } from './support/service-calls.ts'
import { startService } from './support/service.ts'
import { texts } from './support/texts.ts'

const SQLITE_CONSTRAINT_TRIGGER = 1811

type Line = Record<string, unknown> & { msg: string; requestId?: string }

let lines: string[]
let logger: Logger
let app: TestApp | undefined

beforeEach(() => {
  ;({ logger, lines } = recordingLogger())
})
afterEach(() => app?.stop())

/** The log lines with a message that matches. */
function logged(message: RegExp): Line[] {
  return lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => message.test(msg))
}

/** Ana sends a command. @returns the answer, and the request ID in the app's line about the command */
async function command({ slack }: TestApp, text: string, answer: string) {
  const message = await slack.ana.asks(text, { for: answer })
  await expect.poll(() => logged(/^handled a request/)).toHaveLength(1)
  const [handled] = logged(/^handled a request/)
  expect(handled).toMatchObject({ level: 30, type: '/shorten shorten', workspace: 'T0PLAYGROUND' })
  expect(handled?.requestId).toMatch(/^[\da-f]{32}$/)
  return { shown: texts(message), id: handled?.requestId ?? '' }
}

test('one ID follows a command through the app’s log to the service’s', async () => {
  app = await startApp({ logger })
  const { id } = await command(app, '/shorten https://example.com/private-page', 'http://localhost')
  const atService = logged(/^responded in/).filter(({ method }) => method === 'POST')
  expect(atService).toMatchObject([
    { method: 'POST', path: '/api/v1/shortlinks/create_shortlink', status: 200, requestId: id },
  ])
  // Each line has at most one ID, and says nothing that the user typed.
  for (const line of lines) expect(line.split('"requestId"').length).toBeLessThanOrEqual(2)
  expect(lines.join()).not.toContain('private-page')
})

test('an error shows the user the ID of both logs', async () => {
  const answers: Responder = ({ headers }) => {
    const theirs = { 'x-request-id': `theirs-${String(headers['x-request-id'])}` }
    return failure(500, 'INTERNAL_ERROR', { headers: theirs })
  }
  app = await startAppElsewhere({ answers, logger })
  const { shown, id } = await command(app, '/shorten https://example.com/page', 'Request ID')
  expect(shown).toContain(`(error 500)`)
  expect(shown).toContain(`Request ID: ${id}.`)
  expect(logged(/^a call to the link service failed/)).toMatchObject([
    { status: 500, requestId: id, serviceRequestId: `theirs-${id}` },
  ])
})

test('every try has the same request ID and its own span', async () => {
  const elsewhere = await startAppElsewhere({
    answers: () => (elsewhere.service.received.length < 3 ? failure(503, 'X') : created()),
    logger,
  })
  app = elsewhere
  const { id } = await command(elsewhere, '/shorten https://example.com/page', 'go.example.com')
  const sent = elsewhere.service.received.map(({ headers }) => headers)
  expect(sent.map((headers) => headers['x-request-id'])).toEqual([id, id, id])
  const spans = sent.map(
    ({ traceparent }) => /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(String(traceparent)) ?? [],
  )
  expect(spans.map(([, traceId]) => traceId)).toEqual([id, id, id])
  expect(new Set(spans.map(([, , spanId]) => spanId)).size).toBe(3)
})

test('writes that wait and fail in the thread of SQLite are logged with the IDs of their requests', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const other = new DatabaseSync(sqlitePath(service.databaseUrl))
  onTestFinished(() => other.close())
  other.exec(`create trigger refused before insert on links begin
    select raise(abort, 'refused ' || new.back_half);
  end`)
  other.exec('begin immediate')
  const creates = ['one', 'two'].map((back_half) =>
    create(service, { back_half }, { 'x-request-id': `id-of-${back_half}` }),
  )
  await call(`${service.baseUrl}/healthz`) // Both have arrived before.
  other.exec('rollback')
  const answers = await Promise.all(creates)
  expect(answers.map(({ status }) => status)).toEqual([500, 500])
  lines = service.logLines
  const failures = logged(/^a request failed/)
  expect(failures).toHaveLength(2)
  for (const name of ['one', 'two']) {
    const failed = failures.find(({ requestId }) => requestId === `id-of-${name}`)
    const err = { message: `refused ${name}`, errcode: SQLITE_CONSTRAINT_TRIGGER }
    expect(failed).toMatchObject({ err })
  }
})
