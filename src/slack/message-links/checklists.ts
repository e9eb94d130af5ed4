import type { ModalView } from '@slack/types'
import { z } from 'zod'
import type { Links } from '../links/links.ts'
import type { Caller, ReplyTarget } from '../platform/caller.ts'
import type { SubmittedView } from '../platform/form-values.ts'
import type { Platform } from '../platform/platform.ts'
import { createSealedMetadata } from '../platform/sealed-metadata.ts'
import { formState } from '../shorten/form.ts'
import {
  checklistModal,
  fitsInChecklist,
  MAX_CHECKLIST_LINKS,
  parseChecklist,
  type ChecklistChoices,
  type UnlistedLinks,
} from './checklist-modal.ts'
import type { MessageLinks } from './parse-message.ts'

const countSchema = z.int().nonnegative()

/** What a checklist carries in its `private_metadata`, encrypted. */
const carried = z.object({
  reply: formState.shape.reply,
  leftOut: z.object({ short: countSchema, slack: countSchema, tooLong: countSchema }),
  more: countSchema,
})

/** A checklist of the links in a message: what it shows, and where the answer goes. */
export interface Checklist extends ChecklistChoices, UnlistedLinks {
  reply: ReplyTarget
}

/** Builds the checklist of the links in a message and reads it back. */
export interface Checklists {
  /** A checklist of the links in a message, all selected, as many as there is room for. */
  start(caller: Caller, found: MessageLinks, reply: ReplyTarget): Promise<Checklist>
  /** @throws NotConnectedError */
  build(caller: Caller, checklist: Checklist, notice?: readonly string[]): Promise<ModalView>
  /** @throws if this app did not make the view */
  read(caller: Caller, view: SubmittedView & { blocks: readonly unknown[] }): Checklist
}

export function createChecklists({
  keyring,
  linkService,
  settings,
}: Pick<Platform & Links, 'keyring' | 'linkService' | 'settings'>): Checklists {
  const metadata = createSealedMetadata(keyring, 'checklist', carried)
  return {
    async start({ workspace }, found, reply) {
      const { qr } = await settings.read(workspace.id)
      const fitting = found.links.filter(fitsInChecklist)
      const tooLong = found.leftOut.tooLong + found.links.length - fitting.length
      return {
        reply,
        links: fitting.slice(0, MAX_CHECKLIST_LINKS).map((url) => ({ url, ticked: true })),
        leftOut: { ...found.leftOut, tooLong },
        more: Math.max(0, fitting.length - MAX_CHECKLIST_LINKS),
        domain: undefined,
        withQr: qr.enabled,
      }
    },

    async build({ workspace }, { reply, leftOut, more, ...choices }, notice) {
      const { domains } = await linkService.connection(workspace)
      const sealed = metadata.seal({ reply, leftOut, more }, workspace.id)
      return checklistModal({ ...choices, leftOut, more, domains, notice, metadata: sealed })
    },

    read: ({ workspace }, view) => ({
      ...metadata.open(view.private_metadata, workspace.id),
      ...parseChecklist(view),
    }),
  }
}
