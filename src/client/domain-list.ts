import { z } from 'zod'
import { ResponseShapeError } from './errors.ts'
import { readJson } from './responses.ts'
import type { HttpResponse } from './transport.ts'

/** How many records are requested and read. As many options fit in one of Slack's menus. */
export const MAX_DOMAINS = 100

/** A domain record: its name (ID), and the hostname of its short URLs (spec §2.2). */
const receivedDomain = z.object({
  name: z.string().min(1).max(200),
  domain_name: z.string().max(300).refine(isHost),
})

/** Whether a text is a hostname, perhaps with a port, and nothing else. */
function isHost(text: string): boolean {
  return /^[^\s/?#@\\]+$/.test(text) && URL.canParse(`https://${text}`)
}

export type ListedDomain = z.infer<typeof receivedDomain>

/** Our own addition to the specification, so other services have this shape as well. */
const receivedList = z.object({
  data: z.object({
    domains: z.array(z.unknown()),
    pagination: z.object({ total_items: z.int() }).optional().catch(undefined),
  }),
})

/** The domain records that a key can use. */
export interface DomainList {
  domains: ListedDomain[]
  /** Whether there are more than these. */
  hasMore: boolean
}

/** @throws ResponseShapeError if the response contains no list */
export function readDomains(response: HttpResponse): DomainList {
  const { data: received } = receivedList.safeParse(readJson(response))
  if (!received) {
    throw new ResponseShapeError(response.status, 'JSON without a list of domain records')
  }
  const { domains: items, pagination } = received.data
  const records = items
    .slice(0, MAX_DOMAINS)
    .flatMap((item) => receivedDomain.safeParse(item).data ?? [])
  const names = records.map(({ name }) => name)
  const domains = records.filter(({ name }, index) => names.indexOf(name) === index)
  return { domains, hasMore: (pagination?.total_items ?? items.length) > domains.length }
}
