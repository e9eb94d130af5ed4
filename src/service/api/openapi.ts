import { z } from 'zod'
import { createDocument, type ZodOpenApiResponsesObject } from 'zod-openapi'
import { createRequest } from '../../contract/create-request.ts'
import { CREATE_PATH, LIST_PATH } from '../../contract/endpoints.ts'
import { createdEnvelope, errorEnvelope, type ErrorCode } from '../../contract/error-envelope.ts'
import { listQuery } from '../../contract/list-query.ts'
import { BACK_HALF } from '../store/back-half.ts'
import { MAX_LENGTH } from '../create-rules.ts'
import { MAX_DESTINATION_LENGTH } from '../store/destination.ts'
import { linkList } from '../link-list.ts'
import { MAX_PER_PAGE } from '../list-rules.ts'
import { STATUS } from '../service-error.ts'

const JSON_TYPE = 'application/json'

/** When each code is answered; `create` and `list` say which operations answer it. */
const CODES: Record<ErrorCode, { when: string; create?: true; list?: true }> = {
  BAD_REQUEST: {
    when: 'The body can’t be read as multipart/form-data, or is too large.',
    create: true,
  },
  AUTHENTICATION_REQUIRED: { when: 'There is no valid API key.', create: true, list: true },
  PERMISSION_DENIED: { when: 'The API key does not allow this.', create: true, list: true },
  FEATURE_LIMIT_EXCEEDED: { when: 'The quota of short links is used up.', create: true },
  NOT_FOUND: { when: 'There is nothing at this address.' },
  DUPLICATE_DESTINATION_URL: {
    when: 'This destination, with its UTM parameters, has a short link on this domain already: `details.shortlink`, where the key may read.',
    create: true,
  },
  BACK_HALF_CONFLICT: { when: 'The back-half is taken on this domain.', create: true },
  VALIDATION_ERROR: {
    when: 'Fields or parameters break a rule, are unknown, or stand twice: `details.fields` has messages for each.',
    create: true,
    list: true,
  },
  RATE_LIMIT_EXCEEDED: {
    when: 'The API key was used too often; `Retry-After` says in how many seconds to try again.',
    create: true,
    list: true,
  },
  INTERNAL_ERROR: { when: 'A fault of the service.', create: true, list: true },
}

/** Sent with every answer to a request with a valid API key. */
const rateLimitHeaders = z.object({
  'ratelimit-limit': z.string().describe('Requests a minute with this API key.'),
  'ratelimit-remaining': z.string().describe('How many of them are left.'),
  'ratelimit-reset': z.string().describe('Seconds until they are all there again.'),
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
      message: '1 shortlink in all.',
      shortlinks: [
        {
          ...EXAMPLE_LINK,
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
 * The interface's description of itself, made from the schemas that requests and answers are held
 * against, and from the limits that the rules use.
 *
 * @param publicUrl the service's address
 */
export function openapiDocument(publicUrl: string) {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Backhalf link service',
        version: '1.0.0',
        description: 'Makes short links, lists them, and follows them.',
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
            description: 'Made in the dashboard, or with `npm run admin -- keys create`.',
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
                    'Sent again with the same body within 24 hours, it gets the first answer again.',
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
                description: 'The shortlink was made.',
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
                description: 'One page of the shortlinks that the API key reaches.',
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
        // In a query every value is text; what it is text of says more.
        const { page, per_page: perPage } = listQuery.parse({})
        if (zodSchema === listQuery.shape.page) Object.assign(jsonSchema, wholeNumber(page))
        if (zodSchema === listQuery.shape.per_page) {
          Object.assign(jsonSchema, wholeNumber(perPage, MAX_PER_PAGE))
        }
      },
    },
  )
}

function wholeNumber(usual: number, maximum?: number) {
  return { type: 'integer', pattern: undefined, minimum: 1, maximum, default: usual } as const
}

/** What the contract leaves open and our rules decide. */
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

/** One response a status, each with the codes that come with it. */
function errorResponses(operation: 'create' | 'list'): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const [code, says] of Object.entries(CODES) as [ErrorCode, (typeof CODES)[ErrorCode]][]) {
    if (says[operation]) byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), code])
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
