import type { ModalView } from '@slack/types'
import { z } from 'zod'
import type { Keyring } from '../workspaces/keyring.ts'
import type { SettingsStore } from '../workspaces/settings.ts'
import {
  CHECKLIST_LINKS,
  checklistModal,
  fitsChecklist,
  type NotListed,
} from './blocks/checklist-modal.ts'
import type { Caller } from './caller.ts'
import { formState } from './form-state.ts'
import { parseChecklist, type ChosenLinks, type SentChecklist } from './input/checklist-form.ts'
import type { MessageLinks } from './message-links/parse-message.ts'
import type { Links } from './links.ts'
import type { ReplyTarget } from './reply-target.ts'
import { createSealedStates } from './sealed-states.ts'

const count = z.int().nonnegative()

/** What the checklist carries besides what it shows. */
const state = z.object({
  reply: formState.shape.reply,
  leftOut: z.object({ short: count, slack: count, tooLong: count }),
  more: count,
})

/** The checklist of a message's links as it stands. */
export interface Checklist extends ChosenLinks, NotListed {
  reply: ReplyTarget
}

/** Draws the checklist of a message's links, and reads it again. */
export interface Checklists {
  /** All of a message's links ticked, as many as there is room for. */
  begin(caller: Caller, found: MessageLinks, reply: ReplyTarget): Promise<Checklist>
  /** @throws NotConnectedError */
  draw(caller: Caller, checklist: Checklist, notice?: readonly string[]): Promise<ModalView>
  /** @throws when the view is not one of ours */
  read(caller: Caller, view: SentChecklist): Checklist
}

export function createChecklists({
  keyring,
  links,
  settings,
}: {
  keyring: Keyring
  links: Links
  settings: SettingsStore
}): Checklists {
  const states = createSealedStates(keyring, 'checklist', state)
  return {
    async begin({ workspace }, found, reply) {
      const { qr } = await settings.read(workspace.id)
      const fitting = found.links.filter(fitsChecklist)
      const tooLong = found.leftOut.tooLong + found.links.length - fitting.length
      return {
        reply,
        links: fitting.slice(0, CHECKLIST_LINKS).map((url) => ({ url, ticked: true })),
        leftOut: { ...found.leftOut, tooLong },
        more: Math.max(0, fitting.length - CHECKLIST_LINKS),
        domain: undefined,
        withQr: qr.enabled,
      }
    },

    async draw({ workspace }, { reply, leftOut, more, ...chosen }, notice) {
      const { domains } = await links.connection(workspace)
      const metadata = states.seal({ reply, leftOut, more }, workspace.id)
      return checklistModal({ ...chosen, leftOut, more, domains, notice, metadata })
    },

    read: ({ workspace }, view) => ({
      ...states.open(view.private_metadata, workspace.id),
      ...parseChecklist(view),
    }),
  }
}
