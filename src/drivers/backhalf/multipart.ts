import FormData from 'form-data'
import { previewImageType, type ImageFile } from '../../contract/preview-image.ts'

export function encodeForm(fields: Record<string, string | ImageFile | undefined>) {
  const form = new FormData()
  // Files come last, because some services need the other fields first.
  const rank = (value: unknown): number => (typeof value === 'object' ? 1 : 0)
  const entries = Object.entries(fields).toSorted(([, one], [, other]) => rank(one) - rank(other))
  for (const [name, value] of entries) {
    if (typeof value === 'string') form.append(name, value)
    else if (value) {
      const contentType = previewImageType(value.filename) ?? 'application/octet-stream'
      form.append(name, Buffer.from(value.bytes), { filename: value.filename, contentType })
    }
  }
  // The body is a buffer, because a form-data stream could be sent only once, without retries.
  const headers = { 'content-type': `multipart/form-data; boundary=${form.getBoundary()}` }
  return { headers, body: form.getBuffer() }
}
