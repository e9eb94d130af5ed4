import { z } from 'zod'
import type { Keyring } from '../workspaces/keyring.ts'
import { createSealedStates, type SealedStates } from './sealed-states.ts'

/**
 * What the shorten form carries in its `private_metadata`, sealed, besides what its inputs hold.
 */
export const formState = z.object({
  reply: z.object({
    userId: z.string(),
    responseUrl: z.string().optional(),
    threadTs: z.string().optional(),
    inChannel: z.boolean().optional(),
  }),
  showUtm: z.boolean(),
  showPreview: z.boolean(),
  /** How often we have filled in its UTM parameters (blocks/form-blocks.ts); absent: never. */
  filled: z.number().int().optional(),
  /** An image that was uploaded before the form was drawn again. */
  image: z.object({ id: z.string(), name: z.string() }).optional(),
})

export type FormState = z.infer<typeof formState>

export type FormStates = SealedStates<FormState>

export function createFormStates(keyring: Keyring): FormStates {
  return createSealedStates(keyring, 'shorten form', formState)
}
