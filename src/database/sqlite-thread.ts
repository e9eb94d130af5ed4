import { parentPort, Worker } from 'node:worker_threads'
import { DatabaseUnavailableError } from './errors.ts'
import { CommitError, toSqliteError } from './sqlite-errors.ts'

interface SqliteThread<Request> {
  ask(request: Request): Promise<unknown>
  close(): Promise<void>
}

interface ThreadOptions {
  script: URL
  data: unknown
  /** Whether an unanswered request might have written if the thread exits, for example because it is out of memory. */
  writes?: boolean
  threads?: Threads | undefined
  check?: (() => void) | undefined
}

/** Starts threads, and ends them after they have closed their file. Tests reuse them, because a start takes 0.2 s. */
export interface Threads {
  start(script: URL): Worker
  end(worker: Worker): Promise<unknown>
}

const NEW_THREADS: Threads = {
  start: (script) => new Worker(script, { execArgv: [] }),
  end: (worker) => worker.terminate(),
}

type Message<Request> = { data: unknown; request: Request } | 'close'

// Errors lose their class and their properties on the way from a thread, so these are sent beside the error.
type Answer = { value: unknown } | { error: Error; errcode: unknown; isCommitError: boolean }

/**
 * A thread that works on a SQLite file, and keeps the process alive only while it works. The first request starts it.
 * If it exits by itself, unanswered requests fail, and the next request starts another one.
 */
export function createSqliteThread<Request>({
  script,
  data,
  writes = false,
  threads = NEW_THREADS,
  check,
}: ThreadOptions): SqliteThread<Request> {
  let worker: Worker | undefined
  let isClosed = false
  // The thread answers in the order of the requests.
  const unanswered: PromiseWithResolvers<unknown>[] = []

  function start(): Worker {
    const started = threads.start(script)
    function end(cause?: unknown): void {
      if (worker !== started) return
      worker = undefined
      const options = { cause, mayHaveCommitted: writes }
      const error = new DatabaseUnavailableError('a thread exited', options)
      for (const { reject } of unanswered.splice(0)) reject(error)
    }
    started.on('error', end)
    started.on('exit', () => end())
    started.on('message', (answer: Answer) => {
      if (worker !== started) return // Its requests have failed, and the others are for the next thread.
      const request = unanswered.shift()
      if (unanswered.length === 0) started.unref()
      if ('value' in answer) return request?.resolve(answer.value)
      const { error, errcode, isCommitError } = answer
      request?.reject(toSqliteError(Object.assign(error, { errcode }), isCommitError))
    })
    return started
  }

  function send(message: Message<Request>): Promise<unknown> {
    worker ??= start()
    worker.postMessage(message)
    worker.ref()
    const answer = Promise.withResolvers<unknown>()
    unanswered.push(answer)
    return answer.promise
  }

  return {
    async ask(request) {
      if (isClosed) throw new DatabaseUnavailableError('it is closed')
      check?.()
      return send({ data, request })
    },

    async close() {
      const closing = isClosed ? undefined : worker
      isClosed = true
      if (!closing) return
      // A thread that fails to close its file is not reused. The system closes the file when the thread ends.
      await send('close').then(
        () => threads.end(closing),
        () => closing.terminate(),
      )
    },
  }
}

interface OpenFile<Request> {
  answer(request: Request): unknown
  close(): void
}

/** Runs in the thread: answers one request after the other. The first request opens the file. */
export function answerRequests<Request>(open: (data: never) => OpenFile<Request>): void {
  let file: OpenFile<Request> | undefined
  let last = Promise.resolve()
  parentPort?.on('message', (message: Message<Request>) => {
    last = last.then(async () => parentPort?.postMessage(await answer(message)))
  })

  async function answer(message: Message<Request>): Promise<Answer> {
    try {
      if (message === 'close') {
        file?.close()
        file = undefined
        return { value: undefined }
      }
      file ??= open(message.data as never)
      return { value: await file.answer(message.request) }
    } catch (thrown) {
      const isCommitError = thrown instanceof CommitError
      const cause = isCommitError ? thrown.cause : thrown
      const error = cause instanceof Error ? cause : new Error(String(cause))
      return { error, errcode: 'errcode' in error ? error.errcode : undefined, isCommitError }
    }
  }
}
