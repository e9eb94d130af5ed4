import { z } from 'zod'
import type { LinkRef } from '../blocks/link-ref.ts'

const encoded = z.tuple([z.url({ protocol: /^https?$/ }), z.string(), z.string(), z.string()])

/** Reads what a button of ours brought back. @throws when it isn't one of ours */
export function parseLinkRef(value: string | undefined): LinkRef {
  const [shortUrl, destination, title, qrColor] = encoded.parse(JSON.parse(value ?? ''))
  return { shortUrl, destination, ...(title && { title }), ...(qrColor && { qrColor }) }
}
