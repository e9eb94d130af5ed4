import { z } from 'zod'

const id = z.string().min(1).max(255)
const json = z.record(z.string(), z.unknown())
const values = z.record(z.string(), z.record(z.string(), json))

const container = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('message'), conversation: id, ts: id }),
  z.strictObject({ kind: z.literal('modal'), id, values }),
  z.strictObject({ kind: z.literal('home'), values }),
])

export type Container = z.output<typeof container>

/** What a person can do in the simulated workspace, such as write a message or submit a modal. */
export const actionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('write'),
    conversation: id,
    text: z.string(),
    files: z.array(id).max(10).exactOptional(),
    threadTs: id.exactOptional(),
  }),
  // Uses an element, such as a button or a menu. `element` is its JSON with the new `value`, `selected_option` …
  z.strictObject({ type: z.literal('block_action'), container, blockId: id, element: json }),
  z.strictObject({ type: z.literal('submit_modal'), id, values }),
  z.strictObject({ type: z.literal('close_modal'), id }),
  z.strictObject({
    type: z.literal('global_shortcut'),
    callbackId: id,
    conversation: id.exactOptional(),
  }),
  z.strictObject({ type: z.literal('message_shortcut'), callbackId: id, conversation: id, ts: id }),
  z.strictObject({ type: z.literal('open_home') }),
  z.strictObject({ type: z.literal('run_step'), callbackId: id, inputs: json }),
  z.strictObject({ type: z.literal('invite_app'), conversation: id, member: z.boolean() }),
  z.strictObject({ type: z.literal('dismiss_message'), conversation: id, ts: id }),
  z.strictObject({ type: z.literal('dismiss_refusals') }),
])

export type Action = z.output<typeof actionSchema>
