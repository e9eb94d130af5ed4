import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readParts } from '../api/form.ts'
import type { Part } from '../api/multipart.ts'

/** The maximum number of fields in a form. */
const MAX_PARTS = 60

/** How much of a request is read at most: enough to say that a photo is too large, and keep what was typed. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/**
 * Lets the routes of a scope receive forms with files. Of larger fields and files, a little more than
 * `maxPartBytes` is kept, so that they are noticed.
 */
export function acceptUploads(scope: FastifyInstance, maxPartBytes: number): void {
  const limits = { maxParts: MAX_PARTS, maxBytes: MAX_BODY_BYTES, maxPartBytes }
  scope.addContentTypeParser('multipart/form-data', async (request: FastifyRequest) =>
    toBody(await readParts(request, limits)),
  )
}

/** The fields by name, as in other forms. A file input without a file is left out. */
function toBody(parts: readonly Part[]): Record<string, unknown> {
  const sent = parts.flatMap(({ name, value, size }) =>
    typeof value === 'object' && !value.filename && size === 0 ? [] : [[name, value] as const],
  )
  return Object.fromEntries(sent)
}
