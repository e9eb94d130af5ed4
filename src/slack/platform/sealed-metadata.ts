import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { z } from 'zod'
import type { Keyring } from '../../workspaces/keyring.ts'
import { SlackInputError } from './field-errors.ts'

const MAX_BYTES = 100_000 // Far more than a form stores. Compressed data could inflate to any size.

/**
 * Encrypts the `private_metadata` of a view, because anyone with its `response_url` could post into a conversation.
 * @param kind a name of its own for each form. After a change, the app can't read views that are still open
 */
export function defineSealedMetadata<T>(kind: string, schema: z.ZodType<T>) {
  const context = (workspaceId: string): string => `${kind} of ${workspaceId}`
  return {
    // The data is compressed, because `private_metadata` holds only 3000 characters.
    seal: (keyring: Keyring, data: T, workspaceId: string): string =>
      keyring
        .seal(deflateRawSync(JSON.stringify(data)), context(workspaceId))
        .toString('base64url'),
    open(keyring: Keyring, sealed: string, workspaceId: string): T {
      try {
        const deflated = keyring.open(Buffer.from(sealed, 'base64url'), context(workspaceId))
        const json = inflateRawSync(deflated, { maxOutputLength: MAX_BYTES }).toString('utf8')
        return schema.parse(JSON.parse(json))
      } catch (cause) {
        const message =
          'This form can’t be used anymore, because Backhalf has changed since you opened it. Copy what you typed, and open the form again.'
        throw new SlackInputError(message, { cause })
      }
    },
  }
}
