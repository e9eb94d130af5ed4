import type { ShortenPlatform } from '../links/links.ts'
import type { ActionRequest } from '../platform/listeners.ts'
import { decodeFailedCommand } from '../platform/field-errors.ts'
import { parseCommandText } from './command-text.ts'
import { isDate, withEndOfDay } from './expiry.ts'
import { buildShortenForm, emptyForm } from './form.ts'
import { openLinkForm } from './open-form.ts'

/** "Change something" in the response to a command opens the form with what the user typed. */
export async function changeCommand(
  platform: ShortenPlatform,
  { caller, target, triggerId, value }: ActionRequest,
): Promise<void> {
  const { text, issues } = decodeFailedCommand(value)
  const { draft: typed, issues: found } = parseCommandText(text)
  const shown = issues.length > 0 ? issues : found
  const asksSlack = isDate(typed.expires_at ?? '')
  const build = async () => {
    const form = { ...emptyForm(target), draft: await withEndOfDay(caller, typed) }
    return buildShortenForm(platform, caller, form, [], shown)
  }
  await openLinkForm(platform, caller, triggerId, build, asksSlack)
}
