import { z } from 'zod'
import type { CheckedLink } from '../blocks/checklist-modal.ts'
import { ACTIONS, CHECKLIST_BLOCK_PREFIX } from '../ids.ts'
import { chosenOption, isChecked, type FormValues } from './form-values.ts'
import { urlsInMrkdwn } from './urls-in-text.ts'

/** As much of a view, as Slack sends it back, as the checklist is read from. */
export interface SentChecklist {
  private_metadata: string
  blocks: readonly unknown[]
  state: { values: FormValues }
}

const linkBlock = z.object({
  block_id: z.string().startsWith(CHECKLIST_BLOCK_PREFIX),
  text: z.object({ text: z.string() }),
})

/** What was chosen in a checklist. */
export interface ChosenLinks {
  links: CheckedLink[]
  /** The chosen domain, as the menu names it. */
  domain: string | undefined
  withQr: boolean
}

/** Reads the checklist as it stands; the links are in its own texts. */
export function parseChecklist({ blocks, state: { values } }: SentChecklist): ChosenLinks {
  const links = blocks.flatMap((block): CheckedLink[] => {
    const { block_id: id, text } = linkBlock.safeParse(block).data ?? {}
    const [url] = urlsInMrkdwn(text?.text ?? '')
    if (!id || !url) return []
    const ticks = values[id]?.[ACTIONS.tickLink]?.selected_options ?? []
    return [{ url, ticked: ticks.length > 0 }]
  })
  return {
    links,
    domain: chosenOption(values, 'domain'),
    withQr: isChecked(values, 'qr_code_enabled'),
  }
}
