import type { Caller } from '../platform/caller.ts'
import { isGuest } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { Platform } from '../platform/platform.ts'
import { slackErrorCode } from '../platform/slack-client.ts'

/** Who may shorten links, as the workspace's admins decided. */
export interface ShortenPermission {
  /** Whether the check must ask Slack: not if everyone may shorten, and not for a workflow. */
  asksSlack(caller: Caller): Promise<boolean>
  /**
   * Asks Slack once for all links of one request.
   *
   * @throws SlackInputError if guests may not shorten and the user is a guest, or if Slack doesn't say
   *   whether the user is one: what admins forbid must not depend on Slack being up
   */
  check(caller: Caller): Promise<void>
}

export function createShortenPermission({
  settings,
  logger,
}: Pick<Platform, 'settings' | 'logger'>): ShortenPermission {
  async function asksSlack({ workspace, userId }: Caller): Promise<boolean> {
    if (userId === undefined) return false
    return (await settings.read(workspace.id)).mayShorten === 'not_guests'
  }

  async function ask(caller: Caller): Promise<void> {
    if (!(await asksSlack(caller))) return
    const guest = await isGuest(caller, caller.userId ?? '').catch((err: unknown) => {
      logger.warn({ err }, 'Slack did not say whether a user is a guest')
      if (slackErrorCode(err) === 'missing_scope') throw err
      throw refusal(
        'Guests can’t shorten links in this workspace, and Backhalf couldn’t find out from Slack whether you are one. Please try again in a minute.',
      )
    })
    if (guest) {
      throw refusal(
        'Guests can’t shorten links in this workspace. Ask the person who invited you, or any member, to make the link for you.',
      )
    }
  }

  /** A caller object exists for one request only. */
  const checks = new WeakMap<Caller, Promise<void>>()
  return {
    asksSlack,
    check(caller) {
      const check = checks.get(caller) ?? ask(caller)
      checks.set(caller, check)
      return check
    },
  }
}

function refusal(message: string): SlackInputError {
  return new SlackInputError([{ message }])
}
