import { App, AuthorizationError, type AppOptions, type ReceiverEvent } from '@slack/bolt'
import type { Logger } from 'pino'
import { inRequest } from '../../http/request-context.ts'
import { parseCommand } from './commands.ts'

/** The longest ID from Slack that is logged, in characters. */
const MAX_ID_LENGTH = 255

/**
 * Bolt's App, which handles each of Slack's requests under an ID of its own: all log lines that belong to it carry the
 * ID, and so do its calls to the link service. A line at the end says what the request was and how long it took.
 */
export class BoltApp extends App {
  readonly #log: Logger

  constructor(options: AppOptions, logger: Logger) {
    super(options)
    this.#log = logger
  }

  override processEvent(event: ReceiverEvent): Promise<void> {
    return inRequest(async () => {
      const startedAt = performance.now()
      try {
        await super.processEvent(event)
      } catch (error) {
        // The app's error handler gets what listeners throw. This is a workspace without a token, or a body
        // that Bolt can't read.
        if (!(error instanceof AuthorizationError)) {
          this.#log.error({ err: error }, 'a request from Slack could not be read')
        }
        throw error
      } finally {
        const ms = Math.round(performance.now() - startedAt)
        this.#log.info(describe(event.body), `handled a request from Slack in ${ms} ms`)
      }
    })
  }
}

/** What a request is, for the log: nothing that a user typed. */
function describe(body: SlackBody): { type?: string | undefined; workspace?: string | undefined } {
  const { command, text, type, event, view, callback_id: callbackId, actions, ...rest } = body
  const { team, team_id: teamId, enterprise } = rest
  const id = callbackId ?? event?.type ?? actions?.[0]?.action_id ?? view?.callback_id
  const kind =
    typeof command === 'string'
      ? `${command} ${parseCommand(typeof text === 'string' ? text : '').name}`
      : [type, id].filter((part) => typeof part === 'string').join(' ')
  const workspace = teamId ?? team?.id ?? enterprise?.id
  return {
    type: kind.slice(0, MAX_ID_LENGTH),
    workspace: typeof workspace === 'string' ? workspace.slice(0, MAX_ID_LENGTH) : undefined,
  }
}

/** The members that identify a request. Slack signs its requests, but any of them may be absent. */
interface SlackBody {
  command?: unknown
  text?: unknown
  type?: unknown
  event?: { type?: unknown } | null
  view?: { callback_id?: unknown } | null
  callback_id?: unknown
  actions?: { action_id?: unknown }[]
  team?: { id?: unknown } | null
  team_id?: unknown
  enterprise?: { id?: unknown } | null
}
