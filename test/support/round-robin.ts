import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenOnLoopback } from './free-port.ts'

/** A load balancer in front of several processes. */
export type RoundRobin = Awaited<ReturnType<typeof startRoundRobin>>

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** Starts the load balancer. A target that refuses the connection is passed over, as health checks would. */
export async function startRoundRobin(targets: readonly string[]) {
  let turn = 0
  let pinned: number | undefined
  let whom: 'one' | 'all' = 'one'
  let lastAnswers: string[] = []
  let held: { path: string; arrived: () => void; released: Promise<unknown> } | undefined

  async function forward(incoming: IncomingMessage, body: Buffer, target: string): Promise<Answer> {
    const { method, headers, url } = incoming
    const outgoing = request(target + (url ?? '/'), { method, headers, agent: false })
    outgoing.end(body)
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    return {
      status: response.statusCode ?? 502,
      headers: response.headers,
      body: await buffer(response),
    }
  }

  async function answerOf(incoming: IncomingMessage): Promise<Answer> {
    const body = await buffer(incoming)
    if (held && incoming.url?.startsWith(held.path)) {
      held.arrived()
      await held.released
    }
    if (whom === 'all') {
      const answers = await Promise.all(targets.map((target) => forward(incoming, body, target)))
      lastAnswers = answers.map((answer) => answer.body.toString())
      return answers[0] as Answer
    }
    for (let tries = 1; ; tries++) {
      const target = targets[pinned ?? turn++ % targets.length] ?? ''
      try {
        return await forward(incoming, body, target)
      } catch (error) {
        const refused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
        if (!refused || tries === targets.length) throw error
      }
    }
  }

  const server = createServer((incoming, outgoing) => {
    answerOf(incoming).then(
      ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
      () => outgoing.destroy(), // The client sees what it would see of the process itself.
    )
  })
  return {
    url: await listenOnLoopback(server),
    /** Sends the requests from now on to each target in turn (the default), or each request to all of them. */
    sendTo: (next: 'one' | 'all') => void (whom = next),
    /** Sends the requests from now on to the target with this index only; undefined: to each in turn. */
    pin: (target: number | undefined) => void (pinned = target),
    /** The bodies with which the targets answered the last request that was sent to all of them. */
    lastAnswers: () => lastAnswers,
    /** Holds requests back until `release` is called. @returns a promise of the first one's arrival */
    hold(path: string) {
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>()
      const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
      held = { path, arrived: () => arrive(undefined), released }
      return {
        arrived,
        release(): void {
          held = undefined
          release(undefined)
        },
      }
    },
    async close(): Promise<void> {
      server.close().closeAllConnections()
    },
  }
}
