import { z } from 'zod'
import { blocks } from '../../simulator/block-kit/blocks.ts'
import { plainText } from './text.ts'

const named = {
  callback_id: z.string().max(255).optional(),
  private_metadata: z.string().max(3000).optional(),
  external_id: z.string().max(255).optional(),
}

/** A view as an app sends it. */
export const viewSchema = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('modal'),
      ...named,
      title: plainText(24),
      submit: plainText(24).optional(),
      close: plainText(24).optional(),
      clear_on_close: z.boolean().optional(),
      notify_on_close: z.boolean().optional(),
      blocks: blocks.modal.min(1),
    })
    .refine(
      ({ submit, blocks: all }) =>
        submit !== undefined || all.every(({ type }) => type !== 'input'),
      'missing required field: submit',
    ),
  z.strictObject({ type: z.literal('home'), ...named, blocks: blocks.home }),
])
