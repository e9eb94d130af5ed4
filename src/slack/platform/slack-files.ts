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
  return async ({ client, token }, { id, name }, limits) => {
    const { noun, field, maxBytes, tooLarge } = limits
    const { file } = await client.files.info({ file: id }).catch((cause: unknown) => {
      throw errorAt(field, `This ${noun} couldn’t be read from Slack. Please upload it again.`, {
        cause,
      })
    })
    if ((file?.size ?? 0) > maxBytes) throw errorAt(field, tooLarge)
    const url = URL.parse(file?.url_private_download ?? '')
    if (url?.origin !== fileOrigin) {
      throw errorAt(field, `Slack doesn’t store this file itself. Please upload the ${noun}.`)
    }
    const bytes = await withTimeout(clock, (signal) =>
      readBytes(
        fetch(url, {
          headers: { authorization: `Bearer ${token}` },
          redirect: 'manual', // A redirect could send the token to another host.
          signal,
        }),
        limits,
      ),
    )
    return { filename: file?.name ?? name, bytes }
  }
}

async function readBytes(request: Promise<Response>, limits: FileLimits): Promise<Uint8Array> {
  const { noun, field, maxBytes, tooLarge } = limits
  try {
    const { ok, status, body, headers } = await request
    if (!ok || !body) throw new Error(`HTTP ${status}`)
    // Slack responds with its login page if the token lacks the scope files:read.
    if (headers.get('content-type')?.startsWith('text/html')) {
      throw errorAt(field, MAY_NOT_READ_FILES)
    }
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) throw errorAt(field, tooLarge)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    if (cause instanceof SlackInputError) throw cause
    const message = `This ${noun} couldn’t be read from Slack. Please try again in a moment.`
    throw errorAt(field, message, { cause })
  }
}
