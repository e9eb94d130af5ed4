import type { WebClient } from '@slack/web-api'
import { inRequest } from '../../http/request-context.ts'
import { DAY_MS } from '../../timing/days.ts'
import type { ImportRow } from '../../workspaces/import-rows.ts'
import { ImportLostError, type Imports, type StoredImport } from '../../workspaces/imports.ts'
import { NotInstalledError } from '../../workspaces/installations.ts'
import type { MessageContent } from '../block-kit/messages.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { createDueWork } from '../platform/due-work.ts'
import { postTo } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isRefusal } from '../platform/slack-errors.ts'
import { finishedMessage, progressMessage, resultCsv } from './import-messages.ts'
import { createRowImporter, type RowImporter } from './row-importer.ts'

const CONCURRENCY = 4
const PROGRESS_EVERY_MS = 3_000

// During a longer pause, the import isn't kept in memory, so that another import can run.
const LONG_PAUSE_MS = 60_000

const NEW_TOKEN_EVERY_MS = 30_000
const MAX_RUNS = 5

// After a day, an import ends even if some links were not created, or if its result can't be sent.
const GIVE_UP_AFTER_MS = DAY_MS

interface Run {
  stored: StoredImport
  rows: ImportRow[]
  importer: RowImporter
  showProgressAt: number
}

/** Creates the links of imports in the background. If a process ends during an import, another process continues it. */
export interface ImportRuns {
  start(id: string): void
  /** Looks each minute for imports to continue. @returns a function that stops this, and pauses the running imports */
  watch(): () => void
}

export function createImportRuns(
  platform: ShortenPlatform,
  { store, clientFor }: { store: Imports; clientFor: ClientFor },
): ImportRuns {
  const { clock, homeTab, logger, tasks } = platform
  const running = new Set<string>()
  const stopping = new AbortController()
  const isOver = ({ createdAt }: StoredImport): boolean =>
    clock.now() - createdAt > GIVE_UP_AFTER_MS

  /** Gets a new token, because tokens can expire while an import runs. */
  async function createCaller({ workspaceId, createdBy }: StoredImport): Promise<Caller> {
    const client = await clientFor(workspaceId)
    const may = { mayReadFiles: false, mayShowCards: false, mayUploadFiles: true }
    return { workspace: { id: workspaceId }, client, userId: createdBy, ...may }
  }

  async function showProgress(current: Run, { client }: Caller, note?: string): Promise<void> {
    if (clock.now() < current.showProgressAt) return
    current.showProgressAt = clock.now() + PROGRESS_EVERY_MS
    const { stored, rows } = current
    try {
      await sendMessage(client, stored, progressMessage(stored, rows, note))
      await store.setMessage(stored, stored.message)
    } catch (err) {
      logger.warn({ err }, 'the progress of an import is not shown')
    }
  }

  const pauseFor = (ms: number): Promise<void> =>
    clock.sleep(ms, stopping.signal).catch(() => undefined)

  /**
   * Creates links for half a minute, or until the import has to pause.
   * @returns `done` if no rows are left, `continue` to call this again, or the time at which the import can be
   *   continued
   */
  async function createLinks(current: Run): Promise<'done' | 'continue' | { at: number }> {
    const { stored, rows, importer } = current
    const caller = await createCaller(stored)
    const end = clock.now() + NEW_TOKEN_EVERY_MS
    while (clock.now() < end) {
      if (stopping.signal.aborted) return { at: clock.now() }
      await store.renewLease(stored)
      const next = importer.next(rows, CONCURRENCY)
      if (next.length === 0 || stored.isStopped || isOver(stored)) return 'done'
      await showProgress(current, caller)
      const pause = await importer.run(caller, next)
      if (pause === undefined) continue
      const at = clock.now() + pause.ms
      // Shows the reason for the pause as soon as the progress can be shown again.
      await pauseFor(Math.min(Math.max(current.showProgressAt - clock.now(), 0), pause.ms))
      const goesOn = `Backhalf goes on at ${new Date(at).toISOString().slice(11, 16)} UTC.`
      await showProgress(current, caller, `${pause.reason} ${goesOn}`)
      if (pause.ms > LONG_PAUSE_MS) return { at }
      await pauseFor(at - clock.now())
    }
    return 'continue'
  }

  async function finish(stored: StoredImport, rows: readonly ImportRow[]): Promise<void> {
    const caller = await createCaller(stored)
    const { client } = caller
    await sendMessage(client, stored, finishedMessage(stored, rows, true))
    await store.setMessage(stored, stored.message)
    const { channel, ts = '', threadTs = ts } = stored.message
    const upload = {
      channel_id: channel,
      thread_ts: threadTs,
      filename: `${stored.fileName.replace(/\.\w+$/, '')}-result.csv`,
      file: Buffer.from(resultCsv(rows)),
    }
    await client.filesUploadV2(upload).catch(async (err: unknown) => {
      if (!isRefusal(err)) throw err
      logger.warn({ err }, 'Slack refused the result of an import')
      await sendMessage(client, stored, finishedMessage(stored, rows, false))
    })
    await store.end(stored)
    await homeTab.refresh(caller)
  }

  async function run(stored: StoredImport): Promise<void> {
    const rows = await store.rows(stored.id)
    const importer = createRowImporter(platform, { store, stored })
    const started = { stored, rows, importer, showProgressAt: -Infinity }
    for (;;) {
      const next = await inRequest(() => createLinks(started))
      if (next === 'done') return finish(stored, rows)
      if (next !== 'continue') return store.unclaim(stored, next.at)
    }
  }

  async function startNow(id: string): Promise<void> {
    if (running.has(id) || running.size >= MAX_RUNS || stopping.signal.aborted) return
    running.add(id)
    let stored: StoredImport | undefined
    try {
      stored = await store.claim(id)
      if (stored) await run(stored)
    } catch (err) {
      if (err instanceof ImportLostError) return // Another process has continued this import, or ended it.
      if (!stored) throw err
      const { workspaceId } = stored
      logger.error({ err, workspaceId }, 'an import failed, and is tried again')
      if (isOver(stored) || err instanceof NotInstalledError || isRefusal(err)) {
        await store.end(stored)
      }
    } finally {
      running.delete(id)
    }
  }

  const start = (id: string): void =>
    tasks.runInBackground(() => inRequest(() => startNow(id)), 'an import could not be run')

  const dueWork = createDueWork(platform, {
    due: (limit) => store.due(limit),
    work: async (id) => start(id),
    failure: 'could not look for imports',
  })
  return {
    start,
    watch() {
      const stopLooking = dueWork.start()
      return () => {
        stopLooking()
        stopping.abort()
      }
    },
  }
}

/** Posts or updates the message that shows an import. If that message was deleted, a direct message takes its place. */
async function sendMessage(client: WebClient, stored: StoredImport, content: MessageContent) {
  const { channel, threadTs, ts } = stored.message
  const thread = threadTs !== undefined && { thread_ts: threadTs }
  const send =
    ts !== undefined
      ? client.chat.update({ channel, ts, ...content })
      : postTo(client, channel, { ...content, ...thread })
  const isDirect = ts === undefined && threadTs === undefined
  try {
    const sent = await send
    stored.message = { ...stored.message, channel: sent.channel ?? channel, ts: sent.ts ?? ts }
  } catch (error) {
    if (isDirect || !isRefusal(error)) throw error
    const sent = await postTo(client, stored.createdBy, content)
    stored.message = { channel: sent.channel ?? stored.createdBy, ts: sent.ts }
  }
}
