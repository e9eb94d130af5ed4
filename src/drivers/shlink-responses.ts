import { z } from 'zod'
import type { ErrorDetails } from '../client/requests.ts'
import type { Failure } from '../port/failures.ts'
import { linkSchema } from '../port/links.ts'
import { receivedVisit } from './click-report.ts'
import { withoutUtm } from './utm-destination.ts'

const shlinkLink = z.object({
  shortCode: z.string(),
  shortUrl: z.url(),
  longUrl: z.string(),
  dateCreated: z.string(),
  visitsSummary: z.object({ nonBots: z.unknown() }).optional(),
  tags: z.unknown(),
  meta: z.object({ validUntil: z.string().nullish() }).optional(),
  domain: z.string().nullable(),
  title: z.string().nullish(),
})

export const receivedLink = linkSchema(shlinkLink, (link) => ({
  ...withoutUtm(link.longUrl),
  // `back-half` on the default domain, otherwise `go.example.com/back-half`
  name: link.domain === null ? link.shortCode : `${link.domain}/${link.shortCode}`,
  back_half: link.shortCode,
  shortlink_url: link.shortUrl,
  title: link.title,
  tags: link.tags,
  expires_at: link.meta?.validUntil,
  created_at: link.dateCreated,
  clicks: link.visitsSummary?.nonBots,
}))

const pagination = z.object({ pagesCount: z.number(), totalItems: z.number() })
export const linksResponse = z.object({
  shortUrls: z.object({ data: z.array(z.unknown()), pagination }),
})
export const domainsResponse = z.object({
  domains: z.object({
    data: z.array(z.object({ domain: z.string().min(1), isDefault: z.boolean() })),
  }),
})
export const tagsResponse = z.object({
  tags: z.object({
    data: z.array(z.object({ tag: z.string().max(200), shortUrlsCount: z.int().nonnegative() })),
  }),
})
export const visitsResponse = z.object({
  visits: z.object({ data: z.array(receivedVisit), pagination }),
})

const errorResponse = z.object({
  type: z.string(),
  detail: z.string().optional(),
  invalidElements: z.array(z.string()).max(20).optional().catch(undefined),
})

const FIELDS: Partial<Record<string, string>> = {
  longUrl: 'destination_url',
  customSlug: 'back_half',
  validUntil: 'expires_at',
  title: 'title',
  domain: 'domain',
  tags: 'tags',
}

const FAILURES = new Map<string, Failure>([
  ['non-unique-slug', { kind: 'back_half_taken' }],
  ['short-url-not-found', { kind: 'gone' }],
  ['invalid-api-key', { kind: 'unauthorized' }],
  ['missing-authentication', { kind: 'unauthorized' }],
  ['invalid-short-url-deletion', { kind: 'refused' }],
])

export function readShlinkError(json: unknown): ErrorDetails {
  const { type, detail, invalidElements = [] } = errorResponse.safeParse(json).data ?? {}
  const code = type?.split('/').at(-1)
  if (code === 'invalid-data') {
    const reason = detail ?? 'The link service refuses this.'
    const fields = Object.fromEntries(invalidElements.map((name) => [FIELDS[name] ?? name, reason]))
    return { failure: { kind: 'invalid', fields }, message: detail, code }
  }
  return { failure: FAILURES.get(code ?? ''), message: detail, code }
}
