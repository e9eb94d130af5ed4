import { LIMITS } from '../block-kit/limits.ts'
import { cut, escape } from '../block-kit/mrkdwn.ts'
import type { TypedInput } from '../block-kit/notices.ts'
import { COMMAND } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { explainError, isRefusedInput } from '../platform/error-messages.ts'
import { MAX_SHOWN_VALUE, namingNotice, SlackInputError } from '../platform/field-errors.ts'
import type { CommandRequest } from '../platform/listeners.ts'
import { WaitingError } from './approval/ask-approvers.ts'
import { waitingMessage } from './approval/approval-messages.ts'
import { parseCommandText } from './command-text.ts'
import { deliverLink } from './deliver-link.ts'
import { sendExistingLink, typedDuplicate } from './duplicate/duplicates.ts'
import { DuplicateError } from './duplicate/find-duplicate.ts'
import { withEndOfDay } from './expiry.ts'
import { shortenLink } from './shorten-link.ts'

export async function shortenFromCommand(
  platform: ShortenPlatform,
  { caller, target, text, triggerId }: CommandRequest,
): Promise<void> {
  const { homeTab, replies } = platform
  const parsed = parseCommandText(text)
  const draft = await withEndOfDay(caller, parsed.draft)
  try {
    const link = await shortenLink(platform, caller, draft, triggerId, { issues: parsed.issues })
    const changedNames = namingNotice(draft, link.utm ?? {})
    const notice = changedNames === undefined ? undefined : { text: escape(changedNames) }
    await Promise.all([
      deliverLink(platform, caller, target, link, { notice }),
      homeTab.refresh(caller),
    ])
  } catch (error) {
    if (error instanceof WaitingError) {
      return replies.send(caller.client, target, waitingMessage(error))
    }
    if (error instanceof DuplicateError) {
      return sendExistingLink(platform, caller, target, error, typedDuplicate(error, text))
    }
    throw isRefusedInput(error) ? new SlackInputError(explainError(error, draft)) : error
  }
}

/**
 * What an error message repeats of a command. If the command is too long for the button *Change something*, the message
 * shows only the start of the URL, and the button opens the form without it.
 */
export function typedCommand(text: string): TypedInput {
  if (text.length <= LIMITS.buttonValue) return { typed: `${COMMAND} ${text}`, command: text }
  const { destination_url: destination = text } = parseCommandText(text).draft
  const typed = text.replace(destination, () => cut(destination, MAX_SHOWN_VALUE))
  const command = text.replace(destination, '""')
  return {
    typed: `${COMMAND} ${typed}`,
    ...(command.length <= LIMITS.buttonValue && { command }),
  }
}
