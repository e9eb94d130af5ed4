import { z } from 'zod'
import { createDocument, type ZodOpenApiResponsesObject } from 'zod-openapi'
import { createRequest } from '../../contract/create-request.ts'
import { CREATE_PATH, LIST_PATH } from '../../contract/endpoints.ts'
import { errorEnvelope, type ErrorCode } from '../../contract/error-envelope.ts'
import { listQuery } from '../../contract/list-query.ts'
import { createdEnvelope } from '../../contract/shortlink.ts'
import { BACK_HALF } from '../store/back-half.ts'
import { MAX_DESTINATION_LENGTH } from '../store/destination.ts'
import { MAX_LENGTH } from '../store/link-rules.ts'
import { STATUS } from './errors.ts'
import { linkList, MAX_PER_PAGE } from './list-links.ts'

const JSON_TYPE = 'application/json'

/** When each code is sent. `create` and `list` say which operations send it. */
const CODES: Record<ErrorCode, { when: string; create?: true; list?: true }> = {
  BAD_REQUEST: {
    when: 'The body is not valid multipart/form-data, or is too large.',
    create: true,
  },
  AUTHENTICATION_REQUIRED: { when: 'The API key is missing or invalid.', create: true, list: true },
  PERMISSION_DENIED: {
    when: 'The API key does not allow this operation.',
    create: true,
    list: true,
  },
  FEATURE_LIMIT_EXCEEDED: { when: 'The owner’s quota of short links is used up.', create: true },
  NOT_FOUND: { when: 'There is nothing at this address.' },
  DUPLICATE_DESTINATION_URL: {
    when: 'This destination, with its UTM parameters, already has a short link on this domain. `details.shortlink` is that link, if the key may read links.',
    create: true,
  },
  BACK_HALF_CONFLICT: { when: 'The back-half is taken on this domain.', create: true },
  PRECONDITION_FAILED: { when: 'The link has another revision than `If-Match` names.' },
  VALIDATION_ERROR: {
    when: 'Fields or parameters are invalid, unknown or repeated. `details.fields` contains messages for each.',
    create: true,
    list: true,
  },
  RATE_LIMIT_EXCEEDED: {
    when: 'The API key has sent too many requests. `Retry-After` is the number of seconds to wait.',
    create: true,
    list: true,
  },
  INTERNAL_ERROR: { when: 'Something went wrong in the service.', create: true, list: true },
  SERVICE_UNAVAILABLE: {
    when: 'The service’s database is not available. Nothing was created. `Retry-After` is the number of seconds to wait.',
    create: true,
    list: true,
  },
}

/** Sent with every response to a request with a valid API key. */
const rateLimitHeaders = z.object({
  'ratelimit-limit': z.string().describe('How many requests this API key may send a minute.'),
  'ratelimit-remaining': z.string().describe('How many requests are left.'),
  'ratelimit-reset': z.string().describe('Seconds until the limit resets.'),
})

const EXAMPLE_LINK = {
  name: '019b2c4e-5a31-7c55-9d2e-3f1a7b60c2d4',
  title: 'Spring sale',
  destination_url: 'https://example.com/some/long/page',
  shortlink_url: 'https://go.example.com/spring-sale',
  is_custom_preview: false,
  qr_code_enabled: true,
}

const EXAMPLES = {
  createRequest: {
    destination_url: 'https://example.com/some/long/page',
    domain: 'default',
    title: 'Spring sale',
    back_half: 'spring-sale',
    utm_analytics_enabled: 'true',
    utm_source: 'newsletter',
    qr_code_enabled: 'true',
    qr_code_color: '#1f4f46',
  },
  created: {
    data: { status: 'success', message: 'Shortlink created.', shortlink: EXAMPLE_LINK },
  },
  list: {
    data: {
      status: 'success',
      message: '1 shortlink in total.',
      shortlinks: [
        {
          ...EXAMPLE_LINK,
          enabled: true,
          created_at: '2027-03-01T12:00:00.000Z',
          updated_at: '2027-03-01T12:00:00.000Z',
          clicks: 12,
        },
      ],
      pagination: { page: 1, per_page: 10, total_items: 1, total_pages: 1 },
    },
  },
}

/**
 * Generates the OpenAPI document from the schemas that validate requests and responses, and from the
 * limits that the rules use.
 *
 * @param publicUrl the URL of the service
 */
export function openapiDocument(publicUrl: string) {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Backhalf link service',
        version: '1.0.0',
        description: 'Creates and lists short links.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl.replace(/\/+$/, '') }],
      security: [{ apiKey: [] }],
      tags: [{ name: 'Shortlinks' }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'Create one in the dashboard, or with `npm run admin -- keys create`.',
          },
        },
      },
      paths: {
        [CREATE_PATH]: {
          post: {
            operationId: 'createShortlink',
            tags: ['Shortlinks'],
            summary: 'Create a shortlink',
            requestParams: {
              header: z.object({
                'Idempotency-Key': z
                  .string()
                  .regex(/^[\x20-\x7e]{1,255}$/)
                  .describe(
                    'Makes it safe to send a request again: within 24 hours, the same key and body get the first response again.',
                  )
                  .optional(),
              }),
            },
            requestBody: {
              required: true,
              content: {
                'multipart/form-data': { schema: createRequest, example: EXAMPLES.createRequest },
              },
            },
            responses: {
              '200': {
                description: 'The shortlink was created.',
                headers: rateLimitHeaders,
                content: { [JSON_TYPE]: { schema: createdEnvelope, example: EXAMPLES.created } },
              },
              ...errorResponses('create'),
            },
          },
        },
        [LIST_PATH]: {
          get: {
            operationId: 'getShortlinks',
            tags: ['Shortlinks'],
            summary: 'List shortlinks',
            requestParams: { query: listQuery },
            responses: {
              '200': {
                description: 'A page of the shortlinks that the API key can access.',
                headers: rateLimitHeaders,
                content: { [JSON_TYPE]: { schema: linkList, example: EXAMPLES.list } },
              },
              ...errorResponses('list'),
            },
          },
        },
      },
    },
    {
      allowEmptySchema: { custom: true },
      override({ zodSchema, jsonSchema }) {
        if (zodSchema === createRequest) addLimits(jsonSchema.properties ?? {})
        // Query values are sent as text, but these two mean whole numbers.
        const { page, per_page: perPage } = listQuery.parse({})
        if (zodSchema === listQuery.shape.page) Object.assign(jsonSchema, wholeNumber(page))
        if (zodSchema === listQuery.shape.per_page) {
          Object.assign(jsonSchema, wholeNumber(perPage, MAX_PER_PAGE))
        }
      },
    },
  )
}

function wholeNumber(defaultValue: number, maximum?: number) {
  return {
    type: 'integer',
    pattern: undefined,
    minimum: 1,
    maximum,
    default: defaultValue,
  } as const
}

/** Adds the limits that the contract leaves open and our rules set. */
function addLimits(properties: Record<string, unknown>): void {
  const limits: Record<string, object> = {
    destination_url: { format: 'uri', maxLength: MAX_DESTINATION_LENGTH },
    back_half: { pattern: BACK_HALF.source },
    preview_image: { type: 'string', format: 'binary' },
  }
  for (const [name, maxLength] of Object.entries(MAX_LENGTH)) limits[name] = { maxLength }
  for (const [name, limit] of Object.entries(limits))
    Object.assign(properties[name] as object, limit)
}

/** One response for each status, with the codes that have it. */
function errorResponses(operation: 'create' | 'list'): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const [code, sent] of Object.entries(CODES) as [ErrorCode, (typeof CODES)[ErrorCode]][]) {
    if (sent[operation]) byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status) as `${1 | 2 | 3 | 4 | 5}${string}`,
      {
        description: codes.map((code) => `${code}: ${CODES[code].when}`).join('\n\n'),
        content: { [JSON_TYPE]: { schema: errorSchema(status, codes) } },
      },
    ]),
  )
}

function errorSchema(status: number, codes: readonly ErrorCode[]) {
  return errorEnvelope.extend({
    error: errorEnvelope.shape.error.extend({
      status_code: z.literal(status),
      code: z.enum(codes),
    }),
  })
}
