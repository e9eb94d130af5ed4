import { SocketModeReceiver, type Receiver } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import { within } from '../../timing/clock.ts'
import { boltLogger } from './slack-client.ts'
import { reconnectMs, untilSlackAccepts, type StartOptions } from './slack-errors.ts'

const GREETING_MS = 30_000
const CLOSE_MS = 3_000

/** The backoff starts again after a connection that lasted at least this long. */
const STABLE_MS = 60_000

export interface SocketReceiver extends Receiver {
  isConnected: () => boolean
}

/**
 * Receives Slack's requests over a WebSocket (Socket Mode). If the socket closes, the receiver reconnects at once, and
 * after failures with exponential backoff. Slack's own client must not reconnect, because it would end the process if
 * Slack refused the token.
 */
export function createSocketReceiver(
  options: StartOptions & { appToken: string; clientOptions: WebClientOptions },
): SocketReceiver {
  const { appToken, clientOptions, clock, logger } = options
  const receiver = new SocketModeReceiver({
    appToken,
    logger: boltLogger(logger),
    autoReconnectEnabled: false,
    installerOptions: { clientOptions: { ...clientOptions, retryConfig: { retries: 0 } } },
    // A failed request isn't acknowledged. So Slack tells the user about the failure, and a form stays open.
    processEventErrorHandler: async () => false,
  })
  const { client } = receiver
  const apiUrl = clientOptions.slackApiUrl
  const starting = { ...options, variable: 'SLACK_APP_TOKEN', apiUrl }
  const stopped = new AbortController()
  const isStopped = (): boolean => stopped.signal.aborted
  let connectedAt: number | undefined
  let failures = 0

  // For a message such as `null`, the listener of Slack's client rejects its promise, and nothing would handle that.
  const [readMessage] = client.listeners('ws_message') as ((...args: unknown[]) => Promise<void>)[]
  client.removeAllListeners('ws_message')
  client.on('ws_message', (...args: unknown[]) => {
    readMessage?.(...args).catch((err: unknown) =>
      logger.error({ err }, 'a message could not be read'),
    )
  })
  client.on('connected', () => {
    connectedAt = clock.now()
  })
  client.on('disconnected', () => {
    if (connectedAt === undefined) return // The socket never opened, so `connect` reports the failure.
    failures = clock.now() - connectedAt < STABLE_MS ? failures + 1 : 0
    connectedAt = undefined
    if (!isStopped()) void reconnect()
  })

  async function connect(): Promise<void> {
    const opened = await within(
      clock,
      GREETING_MS,
      client.start().catch((error: unknown) => {
        if (error instanceof Error) throw error
        throw new Error('the socket closed before Slack greeted the app')
      }),
    )
    if (!opened || isStopped()) closeNow()
    if (!opened) throw new Error('Slack opened a socket but did not greet the app')
  }

  function closeNow(): void {
    void client.disconnect() // Asks Slack to close the socket.
    void client.disconnect() // Closes the socket without waiting for Slack.
  }

  async function reconnect(): Promise<void> {
    const stopping = stopped.signal
    try {
      if (failures > 0) await clock.sleep(reconnectMs(undefined, failures, clock), stopping)
      await untilSlackAccepts(connect, { ...starting, stopping })
      logger.info('the socket to Slack is open again')
    } catch (error) {
      if (!isStopped()) throw error
    }
  }

  return {
    init: (app) => receiver.init(app),
    start: () => untilSlackAccepts(connect, starting),
    async stop() {
      stopped.abort()
      await within(clock, CLOSE_MS, client.disconnect())
      closeNow()
    },
    isConnected: () => connectedAt !== undefined,
  }
}
