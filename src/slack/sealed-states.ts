import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { z } from 'zod'
import type { Keyring } from '../workspaces/keyring.ts'

/** Bytes that a state may have once it is inflated: far more than Slack carries for us. */
const MAX_BYTES = 100_000

/**
 * What the app gives Slack to carry in a view's `private_metadata`, encrypted for one workspace
 * each: a `response_url` among it would let whoever has it write into a conversation.
 */
export interface SealedStates<T> {
  /** Compressed, so that as much as possible fits. */
  seal(state: T, workspaceId: string): string
  /** @throws when it was not sealed here, for this workspace and as this kind of state */
  open(sealed: string, workspaceId: string): T
}

/** @param kind what it is the state of; one kind is never taken for another */
export function createSealedStates<T>(
  keyring: Keyring,
  kind: string,
  schema: z.ZodType<T>,
): SealedStates<T> {
  const purpose = (workspaceId: string): string => `${kind} of ${workspaceId}`
  return {
    seal: (state, workspaceId) =>
      keyring
        .seal(deflateRawSync(JSON.stringify(state)), purpose(workspaceId))
        .toString('base64url'),
    open(sealed, workspaceId) {
      const deflated = keyring.open(Buffer.from(sealed, 'base64url'), purpose(workspaceId))
      const json = inflateRawSync(deflated, { maxOutputLength: MAX_BYTES }).toString('utf8')
      return schema.parse(JSON.parse(json))
    },
  }
}
