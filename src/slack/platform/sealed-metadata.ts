import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { z } from 'zod'
import type { Keyring } from '../../workspaces/keyring.ts'
import { SlackInputError } from './field-errors.ts'

/** More than a view can carry, so that no metadata inflates without a limit. */
const MAX_BYTES = 100_000

/**
 * Encrypts what a view carries in its `private_metadata`, because that can contain a `response_url`, with which anyone
 * could post into a conversation.
 * @param kind never change it: views that were opened before an upgrade would become unreadable
 */
export function defineSealedMetadata<T>(kind: string, schema: z.ZodType<T>) {
  const context = (workspaceId: string): string => `${kind} of ${workspaceId}`
  return {
    /** The data is compressed, because `private_metadata` holds only 3000 characters. */
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
