import { z } from 'zod'
import { shortlink } from './shortlink.ts'

/** The answer to a successful create (spec §4.1). */
export const createdEnvelope = z.object({
  data: z.object({
    status: z.string(),
    message: z.string(),
    shortlink,
  }),
})

export type CreatedEnvelope = z.infer<typeof createdEnvelope>

/** Every error answer (spec §7). */
export const errorEnvelope = z.object({
  error: z.object({
    message: z.string().describe('For people.'),
    status_code: z.int().describe('The response’s status.'),
    code: z.string().describe('For programs.'),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
})

export type ErrorEnvelope = z.infer<typeof errorEnvelope>

/**
 * The codes that our own service uses. The specification names only AUTHENTICATION_REQUIRED;
 * a client treats any other as a hint and falls back to the status.
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
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]
