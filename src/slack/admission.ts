import type { Logger } from 'pino'
import type { SettingsStore } from '../workspaces/settings.ts'
import type { Caller } from './caller.ts'
import { SlackInputError } from './input/slack-input-error.ts'
import { isGuest } from './is-guest.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Who may make links, as the workspace's admins decided. */
export interface Admission {
  /** Whether that takes a question to Slack: not where everybody may, nor for a workflow. */
  asksSlack(caller: Caller): Promise<boolean>
  /**
   * Asks Slack once for all links of one request.
   *
   * @throws SlackInputError for a guest where guests may not, and where Slack doesn't say who is
   *   one: what admins have forbidden must not depend on the weather
   */
  check(caller: Caller): Promise<void>
}

export function createAdmission({
  settings,
  logger,
}: {
  settings: SettingsStore
  logger: Logger
}): Admission {
  async function asksSlack({ workspace, userId }: Caller): Promise<boolean> {
    if (userId === undefined) return false
    return (await settings.read(workspace.id)).mayShorten === 'not_guests'
  }

  async function ask(caller: Caller): Promise<void> {
    if (!(await asksSlack(caller))) return
    const guest = await isGuest(caller.client, caller.userId ?? '').catch((err: unknown) => {
      logger.warn({ err }, 'Slack did not say whether somebody is a guest')
      if (slackErrorCode(err) === 'missing_scope') throw err
      throw refusal(
        'In this workspace guests can’t shorten links, and Slack doesn’t tell me just now who is one. Please try again in a minute.',
      )
    })
    if (guest) {
      throw refusal(
        'In this workspace guests can’t shorten links. Ask the person who invited you, or any member, to make the link for you.',
      )
    }
  }

  /** A caller stands for one request. */
  const asked = new WeakMap<Caller, Promise<void>>()
  return {
    asksSlack,
    check(caller) {
      const answer = asked.get(caller) ?? ask(caller)
      asked.set(caller, answer)
      return answer
    },
  }
}

function refusal(message: string): SlackInputError {
  return new SlackInputError([{ message }])
}
