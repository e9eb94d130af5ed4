import type { FastifyInstance, FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ComponentChildren } from 'preact'
import { DatabaseUnavailableError } from '../../database/errors.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { addSecurityHeaders, html, renderPart } from '../../web/pages.ts'
import { createOwnerTurns } from '../api/owner-turns.ts'
import type { ServiceContext } from '../store/context.ts'
import { may, type Need, readQueue, readViewer, type Viewer } from './access.ts'
import { alertBox, renderDashboardPage } from './page.ts'

/** How many items are written in one commit. Other writes wait for at most one such commit. */
const ITEMS_AT_ONCE = 50

const PROGRESS_EVERY_MS = 500
/** The place in the rendered page for the progress and the result, which are sent between its two halves. */
const RESULT_MARKER = 'the-result-comes-here'

interface Work<Item, Result> {
  title: string
  runningText: string
  /** Shown if the job stops early: “The import stopped after 50 of 80 rows, because …”, and what the user can do then. */
  stopTexts: { subject: string; advice: string }
  unit: string
  need: Need
  /** The reason shown if the viewer signs out or loses the permission before the job ends. */
  notAllowed: string
  items: readonly Item[]
  /** Starts the work on a batch of items. Each inner promise is the result of one item. */
  start: (items: readonly Item[], viewer: Viewer) => Promise<Promise<Result>[]>
  showResult: (results: readonly Result[]) => ComponentChildren
  /**
   * If true, the job doesn't wait, because its request already has the workspace's turn. It stops if the user closes
   * the page.
   */
  isPartOfRequest?: boolean
}

export type Jobs = ReturnType<typeof createJobs>

export function createJobs(scope: FastifyInstance, context: ServiceContext) {
  const inTurn = createOwnerTurns(
    { maxRunning: 1, maxWaiting: 2 },
    'Too many imports or bulk changes are waiting for this workspace. Try again when one has finished.',
  )
  let isStopping = false
  scope.addHook('preClose', async () => {
    isStopping = true
  })

  /** Works on all items. @returns why the work stopped early; undefined if it did not */
  async function run<Item, Result>(
    results: Result[],
    { request, raw }: FastifyReply,
    { items, need, notAllowed, start, isPartOfRequest }: Work<Item, Result>,
  ): Promise<string | undefined> {
    try {
      for (let first = 0; first < items.length; first += ITEMS_AT_ONCE) {
        if (isPartOfRequest && raw.closed) return undefined
        if (isStopping) return 'the service was stopped'
        const viewer = await readViewer(context, request)
        if (!viewer || !may(viewer, need)) return notAllowed
        const batch = await start(items.slice(first, first + ITEMS_AT_ONCE), viewer)
        for (const settled of await Promise.allSettled(batch)) {
          if (settled.status === 'fulfilled') results.push(settled.value)
        }
        // Throws if an item has failed, after the results of the other items were counted.
        await Promise.all(batch)
        await nextTurn()
      }
      return undefined
    } catch (err) {
      if (err instanceof DatabaseUnavailableError) return 'the database was not available'
      request.log.error({ err }, 'many links could not be changed')
      return 'the service failed'
    }
  }

  return {
    inTurn,

    send<Item, Result>(reply: FastifyReply, work: Work<Item, Result>): FastifyReply {
      const { title, unit, items, stopTexts, showResult, isPartOfRequest } = work
      const results: Result[] = []
      const total = formatCount(items.length, unit)
      const progress = () => `${formatNumber(results.length)} of ${total}`
      const runJob = async () => ({ stopReason: await run(results, reply, work) })
      const finished = isPartOfRequest ? runJob() : inTurn(readQueue(reply.request.viewer), runJob)
      const content = html`<div class="running">
        <p class="unfinished">${work.runningText}</p>
        ${RESULT_MARKER}
      </div>`
      const { html: document, policy } = renderDashboardPage(reply, { title, content })
      const csrf = reply.generateCsrf()
      addSecurityHeaders(reply, policy)
      async function* parts(): AsyncGenerator<string, void> {
        // The header before the marker has names that people chose, which could contain the same text.
        const markerStart = document.lastIndexOf(RESULT_MARKER)
        yield document.slice(0, markerStart)
        let end: Awaited<typeof finished> | undefined
        while (!end) {
          yield renderPart(
            html`<div class="progress">
              <progress
                max=${items.length}
                value=${results.length}
                aria-label="Progress"
              ></progress>
              ${` ${progress()}`}
            </div>`,
          )
          const pause = sleep(PROGRESS_EVERY_MS, undefined, { ref: false })
          end = await Promise.race([finished, pause])
        }
        const { subject, advice } = stopTexts
        const alert =
          end.stopReason !== undefined &&
          alertBox(`${subject} stopped after ${progress()}, because ${end.stopReason}. ${advice}`)
        yield renderPart(html`<div class="result">${alert}${showResult(results)}</div>`, csrf)
        yield document.slice(markerStart + RESULT_MARKER.length)
      }
      return reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(Readable.from(parts(), { objectMode: false }))
    },
  }
}
