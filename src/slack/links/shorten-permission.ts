import type { Logger } from 'pino'
import { createRequestMemory } from '../../http/request-context.ts'
import type { Settings, SettingsStore } from '../../workspaces/settings.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { slackErrorCode } from '../platform/slack-errors.ts'
import { isGuest } from '../platform/slack-users.ts'

/** Who may shorten links and see those of others, as the workspace's admins decided. */
export interface ShortenPermission {
  /** Whether the check must ask Slack: not if everyone may shorten, and not for a workflow. */
  asksSlack(caller: Caller): Promise<boolean>
  /**
   * Asks Slack once for all links of one request.
   *
   * @throws SlackInputError if guests may not shorten and the user is a guest, or if Slack doesn't say
   *   whether the user is one: what admins forbid must not depend on Slack being up
   * @param known the workspace's settings, if the caller has read them
   */
  check(caller: Caller, known?: Settings): Promise<void>
  /** The same for someone who wants to see the workspace's links. */
  checkMaySee(caller: Caller): Promise<void>
}

/** What a refused user is told. */
const REFUSALS = {
  shorten: {
    rule: 'Guests can’t shorten links in this workspace',
    next: 'Ask the person who invited you, or any member, to make the link for you.',
  },
  see: {
    rule: 'Guests can’t see the short links of this workspace',
    next: 'Ask the person who invited you, or any member, for the link that you need.',
  },
}

export function createShortenPermission({
  settings,
  logger,
}: {
  settings: SettingsStore
  logger: Logger
}): ShortenPermission {
  async function asksSlack({ workspace, userId }: Caller, known?: Settings): Promise<boolean> {
    if (userId === undefined) return false
    return (known ?? (await settings.read(workspace.id))).mayShorten === 'not_guests'
  }

  async function ask(caller: Caller, known?: Settings): Promise<'allowed' | 'guest' | 'unknown'> {
    if (!(await asksSlack(caller, known))) return 'allowed'
    try {
      return (await isGuest(caller, caller.userId ?? '')) ? 'guest' : 'allowed'
    } catch (err) {
      logger.warn({ err }, 'Slack did not say whether a user is a guest')
      if (slackErrorCode(err) === 'missing_scope') throw err
      return 'unknown'
    }
  }

  const answers = createRequestMemory<ReturnType<typeof ask>>()

  async function check(
    caller: Caller,
    { rule, next }: { rule: string; next: string },
    known?: Settings,
  ): Promise<void> {
    const key = `${caller.workspace.id} ${caller.userId}`
    const asked = answers.get(key) ?? ask(caller, known)
    answers.set(key, asked)
    const answer = await asked
    if (answer === 'guest') throw refusal(`${rule}. ${next}`)
    if (answer === 'unknown') {
      throw refusal(
        `${rule}, and Backhalf couldn’t find out from Slack whether you are one. Please try again in a minute.`,
      )
    }
  }

  return {
    asksSlack: (caller) => asksSlack(caller),
    check: (caller, known) => check(caller, REFUSALS.shorten, known),
    checkMaySee: (caller) => check(caller, REFUSALS.see),
  }
}

function refusal(message: string): SlackInputError {
  return new SlackInputError([{ message }])
}
