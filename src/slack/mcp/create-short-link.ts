import { z } from 'zod'
import { eachField } from '../../contract/field-spec.ts'
import { FIELD_SPECS, UTM_PARAMETERS, type LinkField } from '../../contract/link-fields.ts'
import { present } from '../block-kit/elements.ts'
import { unwrapLink } from '../block-kit/mrkdwn.ts'
import type { ShownLink } from '../block-kit/shown-link.ts'
import { differenceText, namingNotice } from '../platform/field-errors.ts'
import { WaitingError } from '../shorten/approval/ask-approvers.ts'
import { type Draft, type DraftText, withEndOfDay } from '../shorten/draft.ts'
import { DuplicateError, lookalikeText, unusedText } from '../shorten/duplicate/find-duplicate.ts'
import { shortenLink } from '../shorten/shorten-link.ts'
import { dataText, linkData, toLinkData } from './link-data.ts'
import { defineTool, type ToolAnswer, type ToolCall } from './tools.ts'

const text = z.string().max(FIELD_SPECS.destination_url.maxLength ?? 0)
const field = (name: LinkField) => text.optional().describe(FIELD_SPECS[name].description)

const MAX_NOTE_LENGTH = 500

const outputSchema = z.object({
  status: z
    .enum(['created', 'existing', 'waiting_for_approval'])
    .describe(
      'existing: the destination already had this link. waiting_for_approval: there is no link yet.',
    ),
  link: linkData.optional(),
  notes: z.array(z.string()).describe('What the person should know.'),
})

type Answer = ToolAnswer<z.output<typeof outputSchema>>

export const createShortLink = defineTool({
  name: 'create_short_link',
  title: 'Create a short link',
  description:
    'Creates a short link. If the destination already has one, the answer is the existing link.',
  changes: true,
  inputSchema: z.object({
    destination: text.describe('The URL that the short link leads to.'),
    back_half: text
      .optional()
      .describe('The end of the short link, such as spring-sale. Generated if left out.'),
    domain: text
      .optional()
      .describe('The hostname of the short link, one of the workspace’s. By default, its first.'),
    title: field('title'),
    tags: field('tags'),
    template: text.optional().describe('The name of one of the workspace’s UTM templates.'),
    ...eachField(UTM_PARAMETERS, field),
    expires: text
      .optional()
      .describe('When the link stops working: 12h, 30d, 2w or a date like 2030-12-24.'),
  }),
  outputSchema,
  async run(call, { destination, expires, ...input }) {
    const draft = await withEndOfDay(call.caller, {
      ...filledIn({ ...input, expires_at: expires }),
      destination_url: unwrapLink(destination.trim()),
    })
    return create(call, draft).catch((error: unknown) => {
      if (error instanceof WaitingError) return waitingAnswer(error)
      if (error instanceof DuplicateError && !error.link.state) {
        return existingAnswer(error, call.platform.clock.now())
      }
      throw error
    })
  },
})

async function create({ platform, caller, requestKey }: ToolCall, draft: Draft): Promise<Answer> {
  const { clock, homeTab, tasks } = platform
  const link = await shortenLink(platform, caller, draft, requestKey)
  tasks.runInBackground(() => homeTab.refresh(caller), 'the Home tab was not refreshed')
  const notes = present([
    namingNotice(draft, link.utm ?? {}),
    ...(link.differences ?? []).map(differenceText),
    link.lookalike && lookalikeText(link.lookalike),
  ])
  const data = linkAndNotes({ ...link, enabled: true }, notes, clock.now())
  return { text: 'The short link was created.', data: { status: 'created', ...data } }
}

function existingAnswer({ link, unusedBackHalf }: DuplicateError, now: number): Answer {
  const notes = unusedBackHalf === undefined ? [] : [unusedText(unusedBackHalf)]
  const data = { status: 'existing', ...linkAndNotes(link, notes, now) } as const
  return { text: 'This destination already has a short link.', data }
}

function waitingAnswer({ message }: WaitingError): Answer {
  const text = dataText(message, MAX_NOTE_LENGTH)
  return { text, data: { status: 'waiting_for_approval', notes: [text] } }
}

function linkAndNotes(shown: ShownLink, notes: readonly string[], now: number) {
  return {
    link: toLinkData(shown, now),
    notes: notes.map((note) => dataText(note, MAX_NOTE_LENGTH)),
  }
}

function filledIn(texts: Partial<Record<DraftText | 'template', string | undefined>>): Draft {
  const trimmed = Object.entries(texts).map(([name, value]) => [name, value?.trim()] as const)
  return Object.fromEntries(trimmed.filter(([, value]) => value))
}
