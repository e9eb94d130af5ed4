import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import type { Field } from '../blocks/field-labels.ts'
import type { Draft } from './draft.ts'
import { SlackInputError, type Fault } from './slack-input-error.ts'
import { splitWords } from './split-words.ts'
import { isWebUrl } from './urls-in-text.ts'

/** Option names as they are typed, and the members of a draft that they fill. */
const OPTIONS = new Map<string, keyof Draft & Field>([
  ['domain', 'domain'],
  ['title', 'title'],
  ['color', 'qr_code_color'],
  ['colour', 'qr_code_color'],
  ...UTM_PARAMETERS.map((name) => [name, name] as const),
  ['template', 'template'],
])

/** What people write for yes and no. */
const SWITCH = new Map([
  ['on', true],
  ['yes', true],
  ['true', true],
  ['off', false],
  ['no', false],
  ['false', false],
])

/**
 * Reads `URL [back-half] [option=value …]`, as typed after `/shorten`. Options may stand anywhere,
 * the back-half only right behind the link: a word that got lost must not become one.
 *
 * @throws SlackInputError naming every word that was not understood.
 */
export function parseShortenText(text: string): Draft {
  const draft: Draft = {}
  const faults: Fault[] = []
  const lost: string[] = []
  let links = 0
  let last: 'link' | 'other' | undefined
  for (const word of splitWords(text)) {
    const option = /^([a-z_]+)=(.*)$/is.exec(word)
    if (option) {
      readOption(draft, faults, (option[1] ?? '').toLowerCase(), (option[2] ?? '').trim())
    } else if (draft.destination_url === undefined) {
      draft.destination_url = unwrapped(word)
      links++
      last = 'link'
      continue
    } else if (isWebUrl(unwrapped(word))) {
      links++
    } else if (last === 'link') {
      draft.back_half = word
    } else {
      lost.push(`“${word}”`)
    }
    last = 'other'
  }
  if (draft.destination_url === undefined) {
    faults.push({ field: 'destination_url', message: 'Give the link that you want to shorten.' })
  }
  if (links > 1) {
    faults.push({
      message: `These are ${links} links, and a command takes one. Post them as a message, and choose “Shorten this link” from its menu: that takes them all.`,
    })
  }
  if (lost.length > 0) {
    faults.push({
      message: `I didn’t understand ${lost.join(', ')}. Put text with spaces in quotes, like title="Spring sale".`,
    })
  }
  if (faults.length > 0) throw new SlackInputError(faults)
  return draft
}

function readOption(draft: Draft, faults: Fault[], name: string, value: string): void {
  if (name === 'qr') {
    const on = SWITCH.get(value.toLowerCase())
    if (on === undefined) {
      faults.push({ field: 'qr_code_enabled', message: 'Write qr=on or qr=off.' })
    } else {
      draft.qr_code_enabled = on
    }
    return
  }
  const member = OPTIONS.get(name)
  if (!member) {
    faults.push({
      message: `I don’t know the option “${name}”. There are qr, ${[...OPTIONS.keys()].join(', ')}.`,
    })
  } else if (member in draft) {
    faults.push({ field: member, message: 'It stands twice. Write it once.' })
  } else if (value !== '') {
    Object.assign(draft, { [member]: value })
  }
}

/** Slack writes a link as `<https://…|label>` where it escapes; people paste that too. */
export function unwrapped(word: string): string {
  return /^<([^|>]+)(?:\|[^>]*)?>$/.exec(word)?.[1] ?? word
}
