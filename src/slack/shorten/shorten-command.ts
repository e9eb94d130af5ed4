import { FIELD_SPECS } from '../../contract/link-fields.ts'
import type { Field } from '../block-kit/fields.ts'
import { LIMITS } from '../block-kit/elements.ts'
import { escape, isWebUrl, unwrapLink } from '../block-kit/mrkdwn.ts'
import type { TypedInput } from '../block-kit/notices.ts'
import { COMMAND } from '../ids.ts'
import type { ShortenPlatform } from '../links/links.ts'
import { splitWords } from '../platform/commands.ts'
import { explainError, isRefusedInput } from '../platform/error-messages.ts'
import { type FieldError, namingNotice, SlackInputError } from '../platform/field-errors.ts'
import type { CommandRequest } from '../platform/listeners.ts'
import { WaitingError, waitingMessage } from './approval/ask-approvers.ts'
import { deliverLink } from './deliver-link.ts'
import { type Draft, DRAFT_FIELDS, withEndOfDay } from './draft.ts'
import { sendExistingLink, typedDuplicate } from './duplicate/duplicates.ts'
import { DuplicateError } from './duplicate/find-duplicate.ts'
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
    throw isRefusedInput(error) ? new SlackInputError(explainError(error)) : error
  }
}

/** What an error message repeats of a command. If it is too long for *Change something*, it is only shown. */
export function typedCommand(text: string): TypedInput {
  const fits = text.length <= LIMITS.buttonValue
  return { typed: `${COMMAND} ${text}`, ...(fits && { command: text }) }
}

const OPTIONS = new Map<string, keyof Draft & Field>([
  ...DRAFT_FIELDS.flatMap((name) => {
    const { option } = FIELD_SPECS[name]
    return option === undefined ? [] : [[option, name] as const]
  }),
  ['template', 'template'],
])

const SPELLINGS: Partial<Record<string, string>> = { colour: 'color', tag: 'tags' }

const YES = ['on', 'yes', 'true']
const NO = ['off', 'no', 'false']

/** Parses `URL [back-half] [option=value …]`. Any other word is an issue. */
export function parseCommandText(text: string): { draft: Draft; issues: FieldError[] } {
  const draft: Draft = {}
  const issues: FieldError[] = []
  const strayWords: string[] = []
  let linkCount = 0
  let followsLink = false
  for (const { word } of readWords(text, issues)) {
    const option = /^([a-z_]+)=(.*)$/is.exec(word)
    if (option) {
      readOption(draft, issues, (option[1] ?? '').toLowerCase(), (option[2] ?? '').trim())
    } else if (draft.destination_url === undefined) {
      draft.destination_url = unwrapLink(word)
      linkCount++
      followsLink = true
      continue
    } else if (isWebUrl(unwrapLink(word))) {
      linkCount++
    } else if (followsLink) {
      draft.back_half = word
    } else {
      strayWords.push(`“${word}”`)
    }
    followsLink = false
  }
  if (linkCount > 1) {
    issues.push({
      message: `A command takes one link, but this one has ${linkCount}. Post them as a message and choose “Shorten this link” from its menu to shorten all of them.`,
    })
  }
  if (strayWords.length > 0) {
    issues.push({
      message: `Backhalf didn’t understand ${strayWords.join(', ')}. Put text with spaces in quotes, like title="Spring sale".`,
    })
  }
  return { draft, issues }
}

function readWords(text: string, issues: FieldError[]): ReturnType<typeof splitWords> {
  try {
    return splitWords(text)
  } catch (error) {
    if (!(error instanceof SlackInputError)) throw error
    issues.push(...error.issues)
    return splitWords(`${text}"`) // A quote at the end was missing.
  }
}

function readOption(draft: Draft, issues: FieldError[], name: string, value: string): void {
  const field = OPTIONS.get(SPELLINGS[name] ?? name)
  if (!field) {
    const names = [...OPTIONS.keys()].join(', ')
    issues.push({ message: `There is no option “${name}”. The options are ${names}.` })
  } else if (field === 'qr_code_enabled') {
    const isOn = YES.includes(value.toLowerCase())
    if (isOn || NO.includes(value.toLowerCase())) draft.qr_code_enabled = isOn
    else issues.push({ field, message: 'Write qr=on or qr=off.' })
  } else if (field in draft) {
    issues.push({ field, message: 'This is set twice. Remove one.' })
  } else if (value !== '') {
    Object.assign(draft, { [field]: value })
  }
}
