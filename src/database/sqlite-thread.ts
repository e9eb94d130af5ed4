import { parentPort, Worker } from 'node:worker_threads'
import { DatabaseUnavailableError } from './errors.ts'
import { toSqliteError } from './sqlite-errors.ts'

interface SqliteThread<Request> {
  /**
   * @throws the thread's error, of whose properties only `errcode` and `isCommitting` are kept, or the `whenEnded`
   *   error
   */
  ask(request: Request): Promise<unknown>
  close(): Promise<void>
}

interface RunningThread<Request> extends SqliteThread<Request> {
  hasEnded(): boolean
}

interface ThreadOptions {
  script: URL
  data: unknown
  /** Describes the error if the thread ends without a response, for example because it runs out of memory. */
  whenEnded: { reason: string; mayHaveCommitted?: boolean }
  threads?: Threads | undefined
}

/** Starts threads, and ends them after they have closed their file. Tests reuse threads. */
export interface Threads {
  start(script: URL): Worker
  end(worker: Worker): Promise<unknown>
}

const NEW_THREADS: Threads = {
  start: (script) => new Worker(script, { execArgv: [] }),
  end: (worker) => worker.terminate(),
}

type Message<Request> = { open: unknown } | { request: Request } | { isLast: true }

type Answer = { value: unknown } | { error: Error; details: object }

/**
 * A thread that works on a SQLite file, and keeps the process alive only while it works. The first request starts it.
 * If it ends by itself, its requests fail, and the next request restarts it.
 */
export function createSqliteThread<Request>(options: ThreadOptions): SqliteThread<Request> {
  let running: RunningThread<Request> | undefined
  return {
    async ask(request) {
      if (!running || running.hasEnded()) running = startThread(options)
      try {
        return await running.ask(request)
      } catch (error) {
        throw toSqliteError(error)
      }
    },
    close: async () => running?.close(),
  }
}

function startThread<Request>({
  script,
  data,
  whenEnded,
  threads = NEW_THREADS,
}: ThreadOptions): RunningThread<Request> {
  const worker = threads.start(script)
  const asked: PromiseWithResolvers<unknown>[] = []
  let ended: DatabaseUnavailableError | undefined

  function end(cause?: unknown): void {
    ended ??= new DatabaseUnavailableError(whenEnded.reason, { ...whenEnded, cause })
    for (const { reject } of asked.splice(0)) reject(ended)
  }

  worker.on('error', end)
  worker.on('exit', () => end())
  worker.on('message', (answer: Answer) => {
    const request = asked.shift()
    if (asked.length === 0) worker.unref()
    if ('error' in answer) request?.reject(Object.assign(answer.error, answer.details))
    else request?.resolve(answer.value)
  })
  worker.postMessage({ open: data })
  worker.unref()

  async function send(message: Message<Request>): Promise<unknown> {
    if (ended) throw ended
    worker.postMessage(message)
    worker.ref()
    const answered = Promise.withResolvers<unknown>()
    asked.push(answered)
    return answered.promise
  }

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    const hasClosed = await send({ isLast: true }).then(
      () => true,
      () => false,
    )
    end()
    // A thread that fails to close its file releases it when it ends.
    await (hasClosed ? threads.end(worker) : worker.terminate())
  }

  return {
    hasEnded: () => ended !== undefined,
    ask: (request) => send({ request }),
    close: () => (closing ??= close()),
  }
}

interface Opened<Request> {
  answer(request: Request): unknown
  close(): void
}

export function answerRequests<Request>(open: (data: never) => Opened<Request>): void {
  let opened: Opened<Request> | undefined
  let last = Promise.resolve()
  parentPort?.on('message', (message: Message<Request>) => {
    last = last.then(async () => {
      if ('open' in message) opened = open(message.open as never)
      else parentPort?.postMessage(await tryTo(() => handle(message)))
    })
  })

  function handle(message: { request: Request } | { isLast: true }): unknown {
    return 'request' in message ? opened?.answer(message.request) : opened?.close()
  }
}

async function tryTo(task: () => unknown): Promise<Answer> {
  try {
    return { value: await task() }
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause))
    const { errcode, isCommitting } = error as { errcode?: unknown; isCommitting?: unknown }
    return { error, details: { errcode, isCommitting } }
  }
}
