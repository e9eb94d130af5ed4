import type { WebClient } from '@slack/web-api'
import { inRequest } from '../../http/request-context.ts'
import { DAY_MS } from '../../timing/days.ts'
import {
  ImportLostError,
  type ImportRow,
  type Imports,
  type StoredImport,
} from '../../workspaces/imports.ts'
import { NotInstalledError } from '../../workspaces/installations.ts'
import type { MessageContent } from '../block-kit/elements.ts'
import type { ShortenPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { createDueWork } from '../platform/due-work.ts'
import { NO_UNFURLS, postTo } from '../platform/replies.ts'
import type { ClientFor } from '../platform/slack-client.ts'
import { isRefusal } from '../platform/slack-errors.ts'
import { finishedMessage, progressMessage, resultCsv } from './import-messages.ts'
import { createRowImporter, type RowImporter } from './row-importer.ts'

const CONCURRENCY = 4
const PROGRESS_EVERY_MS = 3_000

/** If the link service asks for a longer pause, another import gets this one's place. */
const LONG_PAUSE_MS = 60_000

const READ_ANEW_MS = 30_000
const MAX_RUNS = 5

/** After this time, an import ends even if not all links are created or its result can't be sent. */
const GIVE_UP_AFTER_MS = DAY_MS

interface Run {
  one: StoredImport
  rows: ImportRow[]
  importer: RowImporter
  showProgressAt: number
}

/** Any process continues the imports that another process has left. */
export interface ImportRuns {
  start(id: string): void
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
    return { workspace: { id: workspaceId }, client, token: '', userId: createdBy, ...may }
  }

  async function showProgress(current: Run, { client }: Caller, note?: string): Promise<void> {
    if (clock.now() < current.showProgressAt) return
    current.showProgressAt = clock.now() + PROGRESS_EVERY_MS
    const { one, rows } = current
    try {
      await sendMessage(client, one, progressMessage(one, rows, note))
      await store.setMessage(one.id, one.message)
    } catch (err) {
      logger.warn({ err }, 'the progress of an import is not shown')
    }
  }

  const pauseFor = (ms: number): Promise<void> =>
    clock.sleep(ms, stopping.signal).catch(() => undefined)

  /** @returns when a process can go on with the import */
  async function createSome(current: Run): Promise<'done' | 'now' | { at: number }> {
    const { one, rows, importer } = current
    const caller = await createCaller(one)
    for (const end = clock.now() + READ_ANEW_MS; clock.now() < end;) {
      if (stopping.signal.aborted) return { at: clock.now() }
      await store.renewLease(one)
      const next = importer.next(rows, CONCURRENCY)
      if (next.length === 0 || one.isStopped || isOver(one)) return 'done'
      await showProgress(current, caller)
      const pause = await importer.run(caller, next)
      if (pause === undefined) continue
      const at = clock.now() + pause.ms
      await pauseFor(Math.min(Math.max(current.showProgressAt - clock.now(), 0), pause.ms))
      const goesOn = `Backhalf goes on at ${new Date(at).toISOString().slice(11, 16)} UTC.`
      await showProgress(current, caller, `${pause.reason} ${goesOn}`)
      if (pause.ms > LONG_PAUSE_MS) return { at }
      await pauseFor(at - clock.now())
    }
    return 'now'
  }

  async function finish(one: StoredImport, rows: readonly ImportRow[]): Promise<void> {
    const caller = await createCaller(one)
    const { client } = caller
    await sendMessage(client, one, finishedMessage(one, rows, true))
    await store.setMessage(one.id, one.message)
    const { channel, ts = '', threadTs = ts } = one.message
    const upload = {
      ...{ channel_id: channel, thread_ts: threadTs },
      filename: `${one.fileName.replace(/\.\w+$/, '')}-result.csv`,
      file: Buffer.from(resultCsv(rows)),
    }
    await client.filesUploadV2(upload).catch(async (err: unknown) => {
      if (!isRefusal(err)) throw err
      logger.warn({ err }, 'Slack refused the result of an import')
      await sendMessage(client, one, finishedMessage(one, rows, false))
    })
    await store.end(one.id)
    await homeTab.refresh(caller)
  }

  async function run(one: StoredImport): Promise<void> {
    const rows = await store.rows(one.id)
    const importer = createRowImporter(platform, { store, one })
    const started = { one, rows, importer, showProgressAt: -Infinity }
    for (;;) {
      const next = await inRequest(() => createSome(started))
      if (next === 'done') return finish(one, rows)
      if (next !== 'now') return store.unclaim(one, next.at)
    }
  }

  async function startNow(id: string): Promise<void> {
    if (running.has(id) || running.size >= MAX_RUNS || stopping.signal.aborted) return
    running.add(id)
    try {
      const one = await store.claim(id)
      if (!one) return
      await run(one).catch(async (err: unknown) => {
        if (err instanceof ImportLostError) return
        logger.error({ err, workspaceId: one.workspaceId }, 'an import failed, and is tried again')
        if (isOver(one) || err instanceof NotInstalledError || isRefusal(err)) await store.end(id)
      })
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

/** If the import's message was deleted, a direct message takes its place. */
async function sendMessage(client: WebClient, one: StoredImport, content: MessageContent) {
  const { channel, threadTs, ts } = one.message
  const send =
    ts !== undefined
      ? client.chat.update({ channel, ts, ...content })
      : client.chat.postMessage({
          ...{ channel, ...content, ...NO_UNFURLS },
          ...(threadTs !== undefined && { thread_ts: threadTs }),
        })
  const isDirect = ts === undefined && threadTs === undefined
  try {
    const sent = await send
    one.message = { ...one.message, channel: sent.channel ?? channel, ts: sent.ts ?? ts }
  } catch (error) {
    if (isDirect || !isRefusal(error)) throw error
    const sent = await postTo(client, one.createdBy, content)
    one.message = { channel: sent.channel ?? one.createdBy, ts: sent.ts }
  }
}
