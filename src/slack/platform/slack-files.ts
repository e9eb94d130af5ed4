import type { Clock } from '../../timing/clock.ts'
import type { Field } from '../block-kit/fields.ts'
import type { Caller } from './caller.ts'
import { errorAt, SlackInputError } from './field-errors.ts'
import { withTimeout } from './slack-client.ts'

export interface UploadedFile {
  id: string
  name: string
}

export interface FileLimits {
  noun: string
  field: Field
  maxBytes: number
  tooLarge: string
}

export const MAY_NOT_READ_FILES =
  'Backhalf doesn’t have permission to read files in this workspace. An admin can allow it by installing Backhalf again with files:read.'

export type DownloadFile = (
  caller: Caller,
  file: UploadedFile,
  limits: FileLimits,
) => Promise<{ filename: string; bytes: Uint8Array }>

/**
 * Downloads files that users have uploaded to Slack. The bot token is sent only to Slack's file host or, if the API is
 * a simulation of Slack, to the simulation's origin.
 */
export function createFileDownload(
  slackApiUrl: string,
  clock: Pick<Clock, 'sleep'>,
  fetch: typeof globalThis.fetch,
): DownloadFile {
  const { hostname, origin } = new URL(slackApiUrl)
  const isSlack = hostname === 'slack.com' || hostname.endsWith('.slack.com')
  const fileOrigin = isSlack ? 'https://files.slack.com' : origin
  return async ({ client }, { id, name }, { noun, field, maxBytes, tooLarge }) => {
    try {
      const { file } = await client.files.info({ file: id })
      if ((file?.size ?? 0) > maxBytes) throw errorAt(field, tooLarge)
      const url = URL.parse(file?.url_private_download ?? '')
      if (url?.origin !== fileOrigin) {
        throw errorAt(field, `Slack doesn’t store this file itself. Please upload the ${noun}.`)
      }
      const bytes = await withTimeout(clock, async (signal) => {
        const headers = { authorization: `Bearer ${client.token}` }
        // A redirect could send the token to another host.
        const response = await fetch(url, { headers, redirect: 'manual', signal })
        // Slack responds with its login page if the token lacks the scope files:read.
        if (response.ok && response.headers.get('content-type')?.startsWith('text/html')) {
          throw errorAt(field, MAY_NOT_READ_FILES)
        }
        return readBytes(response, maxBytes)
      })
      if (!bytes) throw errorAt(field, tooLarge)
      return { filename: file?.name ?? name, bytes }
    } catch (cause) {
      if (cause instanceof SlackInputError) throw cause
      const message = `This ${noun} couldn’t be read from Slack. Please try again, or upload it again.`
      throw errorAt(field, message, { cause })
    }
  }
}

/** @returns undefined if there are more than `maxBytes` */
async function readBytes({ ok, status, body }: Response, maxBytes: number) {
  if (!ok || !body) throw new Error(`HTTP ${status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
