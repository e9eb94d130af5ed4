import { z } from 'zod'

/** The body of every error response (spec §7). */
export const errorEnvelope = z.object({
  error: z.object({
    message: z.string().describe('An explanation for people.'),
    status_code: z.int().describe('The status of the response.'),
    code: z.string().describe('An error code for programs.'),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
})

export type ErrorEnvelope = z.infer<typeof errorEnvelope>

/**
 * The codes that our own service uses. The specification names only AUTHENTICATION_REQUIRED, so a
 * client treats any other code as a hint and falls back to the status.
 */
export const ERROR_CODES = [
  'AUTHENTICATION_REQUIRED',
  'PERMISSION_DENIED',
  'FEATURE_LIMIT_EXCEEDED',
  'BAD_REQUEST',
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'DUPLICATE_DESTINATION_URL',
  'BACK_HALF_CONFLICT',
  'PRECONDITION_FAILED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]
