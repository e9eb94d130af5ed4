import { parentPort, Worker } from 'node:worker_threads'

/** A thread that works on a SQLite file. It keeps the process alive only while it works. */
export interface SqliteThread<Request> {
  hasEnded(): boolean
  /**
   * Sends a request. The thread answers one after the other.
   *
   * @throws what the thread throws, as an Error of which only `errcode` and `isCommitting` are kept; ThreadEndedError
   *   if the thread has ended, or ends before it answers
   */
  ask(request: Request): Promise<unknown>
  /** Ends the thread after its last response. */
  close(): Promise<void>
}

/** The thread ended without a response, for example because it ran out of memory. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError'
}

type Answer = { value: unknown } | { error: Error; details: object }

/** @param script the file that the thread runs, which calls `answerRequests` */
export function startSqliteThread<Request>(
  script: URL,
  workerData: unknown,
): SqliteThread<Request> {
  const worker = new Worker(script, { workerData, execArgv: [] })
  worker.unref()
  const asked: PromiseWithResolvers<unknown>[] = []
  let ended: ThreadEndedError | undefined

  function end(cause?: unknown): void {
    ended ??= new ThreadEndedError('the database’s thread ended', { cause })
    for (const { reject } of asked.splice(0)) reject(ended)
  }

  const exited = new Promise((resolve) => worker.on('exit', resolve))
  worker.on('error', end)
  worker.on('exit', () => end())
  worker.on('message', (answer: Answer) => {
    const request = asked.shift()
    if (asked.length === 0) worker.unref()
    if ('error' in answer) request?.reject(Object.assign(answer.error, answer.details))
    else request?.resolve(answer.value)
  })

  return {
    hasEnded: () => ended !== undefined,
    async ask(request) {
      if (ended) throw ended
      worker.postMessage({ request })
      worker.ref()
      const answered = Promise.withResolvers<unknown>()
      asked.push(answered)
      return answered.promise
    },
    async close() {
      worker.ref()
      worker.postMessage({ isLast: true })
      await exited
    },
  }
}

/** Called in the thread: answers each request, one after the other. @param close called after the last one */
export function answerRequests(answer: (request: never) => unknown, close: () => void): void {
  let last = Promise.resolve()
  parentPort?.on('message', (message: { request: never } | { isLast: true }) => {
    last = last.then(async () => {
      if ('request' in message) {
        parentPort?.postMessage(await tryTo(() => answer(message.request)))
      } else {
        close()
        parentPort?.close()
      }
    })
  })
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
