import { App, AuthorizationError, type AppOptions, type ReceiverEvent } from '@slack/bolt'
import { LRUCache } from 'lru-cache'
import { currentRequestId, inRequest } from '../../http/request-context.ts'
import type { SlackMetrics, SlackRequest } from '../../metrics/app-metrics.ts'
import type { SlackPayload } from './caller.ts'
import { parseCommand } from './commands.ts'
import type { Platform } from './platform.ts'

/**
 * Bolt's app, which also logs and measures each request from Slack. Slack can deliver an event twice, and on a slow
 * socket also a command (bolt-js issue 2188). The second delivery is acknowledged and then ignored.
 */
export class BoltApp extends App {
  readonly #platform: Pick<Platform, 'logger' | 'tasks'>
  readonly #metrics: SlackMetrics | undefined
  readonly #seenIds = new LRUCache<string, true>({ max: 10_000, ttl: 10 * 60_000 })

  constructor(
    options: AppOptions,
    platform: Pick<Platform, 'logger' | 'tasks'>,
    metrics?: SlackMetrics,
  ) {
    super(options)
    this.#platform = platform
    this.#metrics = metrics
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    if (event.retryNum !== undefined) this.#metrics?.redeliveries.inc({})
    const { event_id, trigger_id } = event.body as SlackPayload
    const id = event_id ?? trigger_id
    if (typeof id === 'string') {
      if (this.#seenIds.has(id)) return event.ack()
      this.#seenIds.set(id, true)
    }
    return inRequest(() => this.#process(event))
  }

  async #process(event: ReceiverEvent): Promise<void> {
    const { ack, body, customProperties } = event
    const { logger, tasks } = this.#platform
    const received = performance.now()
    // The time at which Slack sent the request or, in Socket Mode, at which the request arrived.
    const start = Number(customProperties?.['start'] ?? received)
    const secondsSinceStart = (): number => (performance.now() - start) / 1_000
    const kind = requestKind(body)
    const request = { isAcknowledged: false }
    try {
      await super.processEvent({
        ...event,
        ack: async (response: unknown) => {
          await ack(response)
          this.#metrics?.acknowledgements.observe({ kind }, secondsSinceStart())
          request.isAcknowledged = true
        },
      })
    } catch (error) {
      // Bolt passes the errors of listeners to the app's error handler. An error here means that the workspace has no
      // token, or that Bolt can't read the body.
      if (!(error instanceof AuthorizationError)) {
        logger.error({ err: error }, 'a request from Slack could not be read')
      }
      throw error
    } finally {
      if (!request.isAcknowledged) this.#metrics?.unacknowledged.inc({ kind })
      const ms = Math.round(performance.now() - received)
      logger.info(describe(body), `handled a request from Slack in ${ms} ms`)
      // A listener can answer in a background task, so the answer is complete once the request's tasks have ended.
      const answered = this.#metrics && tasks.requestDrained(currentRequestId())
      void answered?.then(() => this.#metrics?.answers.observe({ kind }, secondsSinceStart()))
    }
  }
}

const KINDS = new Map<string, SlackRequest>([
  ['shortcut', 'shortcut'],
  ['message_action', 'shortcut'],
  ['block_actions', 'action'],
  ['view_submission', 'form'],
  ['event_callback', 'event'],
])

function requestKind({ command, type = '', event }: SlackPayload): SlackRequest {
  if (command !== undefined) return 'command'
  if (event?.type === 'function_executed') return 'workflow_step'
  return KINDS.get(type) ?? 'other'
}

/** Describes a request for its log line, without what the user typed: `/shorten list` or `view_submission edit`. */
function describe(body: SlackPayload) {
  const { command, text = '', type = '', event, view, actions } = body
  const id = body.callback_id ?? event?.type ?? actions?.[0]?.action_id ?? view?.callback_id ?? ''
  const kind = command ? `${command} ${parseCommand(text).name}` : `${type} ${id}`.trim()
  return { type: kind, workspace: body.team_id ?? body.team?.id ?? body.enterprise?.id }
}
