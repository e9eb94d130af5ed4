import type { WebClient } from '@slack/web-api'
import { inRequest } from '../../http/request-context.ts'
import { failureOf, joinMessages } from '../../port/failures.ts'
import { listNewest } from '../../port/newest-links.ts'
import { inParallel } from '../../timing/in-parallel.ts'
import { DAY_MS } from '../../timing/days.ts'
import { NotConnectedError } from '../../workspaces/connection.ts'
import type { ImportOutcome, ImportRow, Imports, StoredImport } from '../../workspaces/imports.ts'
import { NotInstalledError } from '../../workspaces/installations.ts'
import type { Links } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { createDueWork } from '../platform/due-work.ts'
import { errorTexts, isExpected } from '../platform/error-messages.ts'
import type { Platform } from '../platform/platform.ts'
import { postTo } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isRefusal } from '../platform/slack-errors.ts'
import type { Draft } from '../shorten/draft.ts'
import { DuplicateError } from '../shorten/duplicate/find-duplicate.ts'
import type { Shortener } from '../shorten/shortener.ts'
import { finishedMessage, progressMessage, resultCsv } from './import-messages.ts'

/** How many links are made at the same time. */
const AT_ONCE = 4

/** How often the message with the progress changes at most, in milliseconds. */
const PROGRESS_EVERY_MS = 3_000

/** How long to wait after a temporary failure of the link service, in milliseconds. After the last, a row fails. */
const PAUSES_MS = [2_000, 10_000, 30_000, 60_000]

/** The longest `Retry-After` that is waited out, in milliseconds. */
const MAX_PAUSE_MS = 60 * 60_000

/** How long a run uses what it has read about the workspace, such as its API key, in milliseconds. */
const READ_ANEW_MS = 30_000

/** How many imports a process works on at once. */
const MAX_RUNS = 5

/** After this time, an import ends even if its result can't be sent. */
const GIVE_UP_AFTER_MS = DAY_MS

/** Makes the links of files in the background. Any process goes on with what another one has left. */
export type ImportRuns = ReturnType<typeof createImportRuns>

export function createImportRuns(
  platform: Platform & Links & { homeTab: { refresh(caller: Caller): Promise<unknown> } },
  { store, shortener, clientFor }: { store: Imports; shortener: Shortener; clientFor: ClientFor },
) {
  const { clock, homeTab, linkService, logger, tasks } = platform
  const running = new Set<string>()
  const stopping = new AbortController()

  async function callerOf({ workspaceId, createdBy }: StoredImport): Promise<Caller> {
    const client = await clientFor(workspaceId)
    const may = { mayReadFiles: false, mayShowCards: false, mayUploadFiles: true }
    return { workspace: { id: workspaceId }, client, token: '', userId: createdBy, ...may }
  }

  /** The link of a row whose answer got lost, if the newest links have it. */
  async function findMade({ workspace }: Caller, draft: Draft): Promise<string | undefined> {
    const { links } = await listNewest((query) => linkService.list(workspace, query), {
      perPage: 100,
    })
    const href = URL.parse(draft.destination_url ?? '')?.href
    return links.find(
      (link) =>
        URL.parse(link.destination_url)?.href === href &&
        (!draft.back_half || link.shortlink_url.endsWith(`/${draft.back_half}`)) &&
        (link.title ?? '') === (draft.title ?? ''),
    )?.shortlink_url
  }

  /** @throws what is worth another try, or stops the whole import */
  async function makeRow(
    caller: Caller,
    id: string,
    { number, draft: json, outcome }: ImportRow,
  ): Promise<ImportOutcome> {
    const draft = JSON.parse(json) as Draft
    const isRepeated = outcome === 'started'
    const find = async (): Promise<ImportOutcome | undefined> => {
      const shortUrl = isRepeated ? await findMade(caller, draft) : undefined
      return shortUrl === undefined ? undefined : { shortUrl, existed: false }
    }
    // Without it, a service that allows several links to a destination would make a second one.
    const { usedDestination } = await linkService.capabilities(caller.workspace)
    const made = usedDestination === 'allowed' ? await find() : undefined
    if (made) return made
    try {
      const link = await shortener.shorten(caller, draft, `import ${id} ${number}`)
      return { shortUrl: link.shortlink_url, existed: false }
    } catch (error) {
      if (error instanceof DuplicateError) {
        return { shortUrl: error.link.shortlink_url, existed: true }
      }
      if (isTemporary(error) || isFinal(error)) throw error
      const found = failureOf(error, 'back_half_taken', 'conflict') ? await find() : undefined
      if (found) return found
      if (!isExpected(error)) logger.error({ err: error }, 'a row of a file could not be imported')
      return { reason: joinMessages(errorTexts(error, draft)) }
    }
  }

  /** A run of an import in this process, with the message that shows how far it has come. */
  function createRun(one: StoredImport, caller: Caller, rows: ImportRow[]) {
    const { id } = one
    const { client } = caller
    const tries = new Map<number, number>()
    let shownAt = -Infinity

    /** Shows the progress, in a new message if there is none yet. A failure waits for the next time. */
    async function show(note?: string): Promise<void> {
      if (clock.now() - shownAt < PROGRESS_EVERY_MS) return
      shownAt = clock.now()
      await sendProgress(client, one, rows, note)
        .then(async (sent) => {
          if (sent !== one.message) await store.setMessage(id, sent)
          one.message = sent
        })
        .catch((err: unknown) => logger.warn({ err }, 'the progress of an import is not shown'))
    }

    async function note(outcomes: [ImportRow, ImportOutcome][]): Promise<void> {
      await store.note(
        id,
        outcomes.map(([{ number }, outcome]) => [number, outcome]),
      )
      for (const [row, outcome] of outcomes) row.outcome = outcome
    }

    /** @returns how long to wait before the next rows, in milliseconds */
    async function makeRows(some: readonly ImportRow[]): Promise<number> {
      const before = some.map((row) => ({ ...row }))
      await note(some.map((row) => [row, 'started']))
      let pause = 0
      await inParallel(some, AT_ONCE, async (row, at) => {
        const outcome = await makeRow(caller, id, before[at] ?? row).catch((error: unknown) => {
          if (isFinal(error)) throw error
          const tried = tries.get(row.number) ?? 0
          const isOver = clock.now() - one.createdAt > GIVE_UP_AFTER_MS
          const wait = isOver ? undefined : pauseAfter(error, tried)
          if (wait === undefined) return { reason: joinMessages(errorTexts(error, {})) }
          tries.set(row.number, tried + 1)
          pause = Math.max(pause, wait)
          return undefined
        })
        if (outcome) await note([[row, outcome]])
      })
      return pause
    }

    /** Waits, and shows until when. Ends early if the import is stopped. */
    async function wait(pause: number): Promise<void> {
      const end = clock.now() + pause
      while (clock.now() < end && !stopping.signal.aborted && (await store.keep(id))) {
        const until = new Date(end).toISOString().slice(11, 16)
        if (pause > PROGRESS_EVERY_MS) {
          await show(`The link service asks Backhalf to wait until ${until} UTC.`)
        }
        const step = Math.min(end - clock.now(), PROGRESS_EVERY_MS)
        await clock.sleep(step, stopping.signal).catch(() => undefined)
      }
    }

    /** Makes links for some time. What was read about the workspace is read anew afterwards. */
    async function makeSome(): Promise<'done' | 'more' | 'interrupted'> {
      for (const end = clock.now() + READ_ANEW_MS; clock.now() < end;) {
        const left = rows.filter(({ outcome }) => !outcome || outcome === 'started')
        if (stopping.signal.aborted) return 'interrupted'
        if (left.length === 0) return 'done'
        if (!(await store.keep(id))) {
          one.isStopped = true
          return 'done'
        }
        await show()
        await wait(await makeRows(left.slice(0, AT_ONCE)))
      }
      return 'more'
    }

    return {
      note,
      /** Makes the links of all rows that have none. @returns false if the process stops meanwhile */
      async makeAll(): Promise<boolean> {
        for (;;) {
          const state = await inRequest(makeSome)
          if (state !== 'more') return state === 'done'
        }
      },
    }
  }

  /** Sends the result, and ends the import. */
  async function finish(one: StoredImport, { client }: Caller, rows: ImportRow[]): Promise<void> {
    const { channel, ts = '', threadTs = ts } = one.message
    const upload = {
      ...{ channel_id: channel, thread_ts: threadTs },
      filename: `${one.fileName.replace(/\.\w+$/, '')}-result.csv`,
      file: Buffer.from(resultCsv(rows)),
    }
    const isSent = await client.filesUploadV2(upload).then(
      () => true,
      (err: unknown) => {
        if (!isRefusal(err)) throw err
        logger.warn({ err }, 'Slack refused the result of an import')
        return false
      },
    )
    await client.chat.update({ channel, ts, ...finishedMessage(one, rows, isSent) })
    await store.end(one.id)
  }

  async function run(one: StoredImport): Promise<void> {
    const caller = await callerOf(one)
    const rows = await store.rows(one.id)
    const made = createRun(one, caller, rows)
    const isDone = await made.makeAll().catch(async (error: unknown) => {
      if (!isFinal(error)) throw error
      const reason = joinMessages(errorTexts(error, {}))
      const left = rows.filter(({ outcome }) => !outcome || outcome === 'started')
      await made.note(left.map((row) => [row, { reason }]))
      return true
    })
    if (!isDone) return store.release(one.id)
    if (one.message.ts === undefined) one.message = await sendProgress(caller.client, one, rows)
    await finish(one, caller, rows)
    await homeTab.refresh(caller)
  }

  /** Works on an import, unless another process does. */
  async function start(id: string): Promise<void> {
    if (running.has(id) || running.size >= MAX_RUNS || stopping.signal.aborted) return
    running.add(id)
    try {
      const one = await store.take(id)
      if (!one) return
      await run(one).catch(async (err: unknown) => {
        const isOver = clock.now() - one.createdAt > GIVE_UP_AFTER_MS
        logger.error({ err, workspaceId: one.workspaceId }, 'an import failed')
        if (isOver || err instanceof NotInstalledError || isRefusal(err)) await store.end(id)
      })
    } finally {
      running.delete(id)
    }
  }

  const startInBackground = (id: string): void =>
    tasks.runInBackground(() => inRequest(() => start(id)), 'an import could not be run')

  const dueWork = createDueWork({
    tasks,
    logger,
    due: async (limit) => (await store.due(limit)).filter((id) => !running.has(id)),
    work: async (id) => startInBackground(id),
    failure: 'could not look for imports',
  })
  return {
    start: startInBackground,
    look: dueWork.look,
    /** Goes on with imports that no process works on, now and every minute. @returns a function that stops this */
    watch(): () => void {
      const stopLooking = dueWork.start()
      return () => {
        stopLooking()
        stopping.abort()
      }
    },
  }
}

/** Changes the message, or sends it: in the thread, or if Slack refuses that, as a direct message. */
async function sendProgress(
  client: WebClient,
  one: StoredImport,
  rows: readonly ImportRow[],
  note?: string,
): Promise<StoredImport['message']> {
  const content = progressMessage(one, rows, note)
  const { channel, threadTs, ts } = one.message
  if (ts !== undefined) {
    await client.chat.update({ channel, ts, ...content })
    return one.message
  }
  const inThread = threadTs !== undefined && { thread_ts: threadTs }
  try {
    const sent = await client.chat.postMessage({ channel, ...content, ...inThread })
    return { ...one.message, channel: sent.channel ?? channel, ts: sent.ts ?? '' }
  } catch (error) {
    if (!inThread || !isRefusal(error)) throw error
    const sent = await postTo(client, one.createdBy, content)
    return { channel: sent.channel ?? one.createdBy, ts: sent.ts ?? '' }
  }
}

/** Whether a row may work if it is tried again. */
const isTemporary = (error: unknown): boolean =>
  failureOf(error, 'busy', 'failed', 'unreachable', 'timeout', 'unreadable') !== undefined

/** Whether no other row can work either. */
const isFinal = (error: unknown): boolean =>
  error instanceof NotConnectedError ||
  failureOf(error, 'unauthorized', 'not_permitted', 'quota', 'wrong_address') !== undefined

/** Undefined: it is not tried again. @param tried how often it has failed before */
function pauseAfter(error: unknown, tried: number): number | undefined {
  const busy = failureOf(error, 'busy')
  if (busy) return busy.retryAfterMs <= MAX_PAUSE_MS ? busy.retryAfterMs : undefined
  return PAUSES_MS[tried]
}
