import type { FastifyRequest } from 'fastify'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { formFile, PACKED } from './form.ts'

/*
 * What a form carries from one step to the next, such as a file: compressed, in a hidden field of a
 * multipart/form-data form. No process has to remember it.
 */

export async function pack(bytes: Uint8Array | string): Promise<string> {
  return (await promisify(gzip)(bytes)).toString('base64url')
}

export async function readPacked(
  request: FastifyRequest,
  maxBytes: number,
): Promise<{ packed: string; bytes: Buffer } | undefined> {
  const sent = await formFile(request, PACKED)
  if (!sent) return undefined
  const packed = Buffer.from(sent.bytes).toString('latin1')
  const compressed = Buffer.from(packed, 'base64url')
  const unpacked = promisify(gunzip)(compressed, { maxOutputLength: maxBytes })
  const bytes = await unpacked.catch(() => undefined)
  return bytes && { packed, bytes }
}
