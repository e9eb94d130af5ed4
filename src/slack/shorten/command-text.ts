import { FIELD_SPECS } from '../../contract/link-fields.ts'
import type { Field } from '../block-kit/fields.ts'
import { isWebUrl, unwrapLink } from '../block-kit/mrkdwn.ts'
import { splitWords } from '../platform/commands.ts'
import { type FieldError, SlackInputError } from '../platform/field-errors.ts'
import { type Draft, DRAFT_FIELDS } from './draft.ts'

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

/**
 * Parses `URL [back-half] [option=value …]`. Only the word directly after the URL is read as a back-half. Any other
 * word without an option is an issue.
 */
export function parseCommandText(text: string): { draft: Draft; issues: FieldError[] } {
  const draft: Draft = {}
  const issues: FieldError[] = []
  const strayWords: string[] = []
  let linkCount = 0
  let followsLink = false
  for (const word of readWords(text, issues)) {
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

function readWords(text: string, issues: FieldError[]): string[] {
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
