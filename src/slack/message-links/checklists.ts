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
export function createChecklists({
  keyring,
  linkService,
  settings,
}: Pick<Platform & Links, 'keyring' | 'linkService' | 'settings'>) {
  const metadata = createSealedMetadata(keyring, 'checklist', carried)
  return {
    /** A checklist of the links in a message, all selected, as many as there is room for. */
    async start(
      { workspace }: Caller,
      found: MessageLinks,
      reply: ReplyTarget,
    ): Promise<Checklist> {
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

    /** @throws NotConnectedError */
    async build(
      { workspace }: Caller,
      { reply, leftOut, more, ...choices }: Checklist,
      notice?: readonly string[],
    ): Promise<ModalView> {
      const { domains } = await linkService.connection(workspace)
      const sealed = metadata.seal({ reply, leftOut, more }, workspace.id)
      return checklistModal({ ...choices, leftOut, more, domains, notice, metadata: sealed })
    },

    /** @throws if this app did not make the view */
    read: (
      { workspace }: Caller,
      view: SubmittedView & { blocks: readonly unknown[] },
    ): Checklist => ({
      ...metadata.open(view.private_metadata, workspace.id),
      ...parseChecklist(view),
    }),
  }
}
