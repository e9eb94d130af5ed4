import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { z } from 'zod'
import { KeyringError, type Keyring } from '../../workspaces/keyring.ts'
import { SlackInputError } from './field-errors.ts'

const CANNOT_BE_READ = 'Backhalf can’t read this form anymore. Open it again to start over.'

/** The largest inflated size in bytes: far more than a view can carry. */
const MAX_BYTES = 100_000

/**
 * Encrypts what a view carries in its `private_metadata`, for one workspace each. It may contain a
 * `response_url`, with which anyone could post into a conversation.
 */
export interface SealedMetadata<T> {
  /** The data is compressed, because `private_metadata` holds only 3000 characters. */
  seal(data: T, workspaceId: string): string
  /**
   * @throws SlackInputError if no key opens it: the keys may have changed since the view was opened. Any
   *   other error if it was not made by this app
   */
  open(sealed: string, workspaceId: string): T
}

/** @param kind the kind of view; data of one kind can't be opened as another */
export function createSealedMetadata<T>(
  keyring: Keyring,
  kind: string,
  schema: z.ZodType<T>,
): SealedMetadata<T> {
  const context = (workspaceId: string): string => `${kind} of ${workspaceId}`

  function open(sealed: Buffer, context: string): Buffer {
    try {
      return keyring.open(sealed, context)
    } catch (cause) {
      if (!(cause instanceof KeyringError)) throw cause
      throw new SlackInputError([{ message: CANNOT_BE_READ }], { cause })
    }
  }

  return {
    seal: (data, workspaceId) =>
      keyring
        .seal(deflateRawSync(JSON.stringify(data)), context(workspaceId))
        .toString('base64url'),
    open(sealed, workspaceId) {
      const deflated = open(Buffer.from(sealed, 'base64url'), context(workspaceId))
      const json = inflateRawSync(deflated, { maxOutputLength: MAX_BYTES }).toString('utf8')
      return schema.parse(JSON.parse(json))
    },
  }
}
