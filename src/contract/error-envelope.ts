import { z } from 'zod'

export const errorEnvelope = z.object({
  error: z.object({
    message: z.string().describe('An explanation for people.'),
    status_code: z.int().describe('The HTTP status of the response.'),
    code: z.string().describe('An error code for programs.'),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
})

export type ErrorEnvelope = z.infer<typeof errorEnvelope>

/** Our service's error codes and their statuses (spec §7). Other services share only AUTHENTICATION_REQUIRED. */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  AUTHENTICATION_REQUIRED: 401,
  PERMISSION_DENIED: 403,
  FEATURE_LIMIT_EXCEEDED: 403,
  NOT_FOUND: 404,
  DUPLICATE_DESTINATION_URL: 409,
  BACK_HALF_CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  VALIDATION_ERROR: 422,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
