import { z } from 'zod'
import type { Keyring } from '../workspaces/keyring.ts'

/**
 * What the shorten form carries in its `private_metadata`, besides what its inputs hold. It is
 * sealed: a `response_url` lets whoever has it write into a conversation.
 */
const formState = z.object({
  reply: z.object({
    userId: z.string(),
    responseUrl: z.string().optional(),
    threadTs: z.string().optional(),
    inChannel: z.boolean().optional(),
  }),
  showUtm: z.boolean(),
  showPreview: z.boolean(),
  /** An image that was uploaded before the form was drawn again. */
  image: z.object({ id: z.string(), name: z.string() }).optional(),
})

export type FormState = z.infer<typeof formState>

/** Seals and opens a form's state, for one workspace each. */
export interface FormStates {
  seal(state: FormState, workspaceId: string): string
  /** @throws when it was not sealed here, for this workspace */
  open(sealed: string, workspaceId: string): FormState
}

export function createFormStates(keyring: Keyring): FormStates {
  const purpose = (workspaceId: string): string => `shorten form of ${workspaceId}`
  return {
    seal: (state, workspaceId) =>
      keyring.seal(Buffer.from(JSON.stringify(state)), purpose(workspaceId)).toString('base64url'),
    open: (sealed, workspaceId) =>
      formState.parse(
        JSON.parse(
          keyring.open(Buffer.from(sealed, 'base64url'), purpose(workspaceId)).toString('utf8'),
        ),
      ),
  }
}
