import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import type { Draft } from './draft.ts'
import { SlackInputError, type Fault } from './slack-input-error.ts'
import { splitWords } from './split-words.ts'

/** Option names as they are typed, and the members of a draft that they fill. */
const OPTIONS = new Map<string, keyof Draft>([
  ['domain', 'domain'],
  ['title', 'title'],
  ['color', 'qr_code_color'],
  ['colour', 'qr_code_color'],
  ...UTM_PARAMETERS.map((name) => [name, name] as const),
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
 * Reads `URL [back-half] [option=value …]`, as typed after `/shorten`. Options may stand anywhere.
 *
 * @throws SlackInputError naming every word that was not understood.
 */
export function parseShortenText(text: string): Draft {
  const draft: Draft = { qr_code_enabled: true }
  const faults: Fault[] = []
  const plain: string[] = []
  for (const word of splitWords(text)) {
    const option = /^([a-z_]+)=(.*)$/is.exec(word)
    if (!option) plain.push(word)
    else readOption(draft, faults, (option[1] ?? '').toLowerCase(), (option[2] ?? '').trim())
  }
  const [destination, backHalf, ...rest] = plain
  if (destination === undefined) {
    faults.push({ field: 'destination_url', message: 'Give the link that you want to shorten.' })
  } else {
    draft.destination_url = unwrapped(destination)
  }
  if (backHalf !== undefined) draft.back_half = backHalf
  if (rest.length > 0) {
    const words = rest.map((word) => `“${word}”`).join(', ')
    faults.push({
      message: `I didn’t understand ${words}. Put text with spaces in quotes, like title="Spring sale".`,
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
  } else if (value !== '') {
    Object.assign(draft, { [member]: value })
  }
}

/** Slack writes a link as `<https://…|label>` where it escapes; people paste that too. */
function unwrapped(word: string): string {
  return /^<([^|>]+)(?:\|[^>]*)?>$/.exec(word)?.[1] ?? word
}
