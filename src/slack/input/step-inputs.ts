import { UTM_PARAMETERS } from '../../contract/create-request.ts'
import type { Draft } from './draft.ts'
import { unwrapped } from './shorten-text.ts'
import { SlackInputError, type Fault } from './slack-input-error.ts'

/** What a workflow fills in, by the names of the create request. manifest.yml has the same. */
export const STEP_INPUTS = [
  'destination_url',
  'domain',
  'back_half',
  'title',
  'template',
  ...UTM_PARAMETERS,
] as const

/** Slack's own limit for a text in a workflow, in bytes. */
const LONGEST = 4000

/**
 * Reads the inputs of the workflow step. A variable of a workflow may hold anything, whatever the
 * manifest says of its type; what isn't an input of ours is left alone.
 *
 * @param inputs as Slack sent them
 * @throws SlackInputError naming every input that is no text, or too long
 */
export function parseStepInputs(inputs: unknown): Draft {
  const given = new Map(Object.entries(typeof inputs === 'object' && inputs ? inputs : {}))
  const draft: Draft = {}
  const faults: Fault[] = []
  for (const field of STEP_INPUTS) {
    const value: unknown = given.get(field) ?? ''
    if (typeof value !== 'string') {
      const message =
        'The workflow filled this in with something that isn’t text. Use text, or a variable that holds text.'
      faults.push({ field, message })
    } else if (Buffer.byteLength(value) > LONGEST) {
      const message = 'This is longer than the text of a workflow may be. Use a shorter one.'
      faults.push({ field, message })
    } else if (value.trim() !== '') {
      draft[field] = field === 'destination_url' ? unwrapped(value.trim()) : value.trim()
    }
  }
  if (faults.length > 0) throw new SlackInputError(faults)
  return draft
}
