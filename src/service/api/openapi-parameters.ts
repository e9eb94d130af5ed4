import { z } from 'zod'
import { IDEMPOTENCY_KEY } from './routes.ts'

export const linkName = z.object({ name: z.string().describe('The name (ID) of the shortlink.') })

export const idempotencyKey = z.object({
  'Idempotency-Key': z
    .string()
    .regex(IDEMPOTENCY_KEY)
    .describe(
      'Makes it safe to send a request again: within 24 hours, the same key and body get the first response again.',
    )
    .optional(),
})

export const createdBy = z.object({
  'X-Created-By': z
    .string()
    .max(200)
    .describe(
      'The person who acts: an ID and a name in percent-encoded UTF-8, separated by a space, such as `T0TEST-U0ANA Ana%20Garc%C3%ADa`. The link and its history keep it.',
    )
    .optional(),
})

export const signedIn = z.object({
  'X-Created-By': z
    .string()
    .max(200)
    .describe(
      'The ID and the name of the person who signs in, in the form that is used when a link is created.',
    ),
})

export const ifMatch = z.object({
  'If-Match': z
    .string()
    .describe(
      'The ETag of the shortlink as it was read. If it was changed since, nothing happens, and the response is 412.',
    )
    .optional(),
})
