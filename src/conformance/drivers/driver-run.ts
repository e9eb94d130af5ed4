import { randomUUID } from 'node:crypto'
import type { CreateRequest } from '../../contract/link-requests.ts'
import type { Capabilities } from '../../port/capabilities.ts'
import { LinkServiceError, type FailureKind } from '../../port/failures.ts'
import type { LinkService } from '../../port/link-service.ts'
import type { ListedLink } from '../../port/links.ts'
import { DAY_MS } from '../../timing/days.ts'

export interface TestedDriver {
  service: LinkService
  withWrongKey: LinkService
  /** @returns the URL that the short URL redirects to */
  visit: (shortUrl: string) => Promise<string | undefined>
  pause: () => Promise<void>
  /** It has only small letters and digits, so that it can be a back-half. */
  runId: string
}

export interface DriverRun extends TestedDriver {
  capabilities: Capabilities
  /** The domain record for new links: the last record that the service lists. */
  domain: string
  /** The links of this run. The first one has all fields and the back-half `${runId}full`. */
  created: ListedLink[]
}

export class WrongBehavior extends Error {}

export function expect(condition: unknown, fault: string): asserts condition {
  if (!condition) throw new WrongBehavior(fault)
}

export async function expectFailure(kind: FailureKind, action: () => Promise<unknown>) {
  const error = await action().catch((thrown: unknown) => thrown)
  const found = error instanceof LinkServiceError ? error.failure.kind : 'success'
  expect(found === kind, `The failure should be “${kind}” but is “${found}”.`)
}

export function newDestination({ runId }: DriverRun): string {
  return `https://example.com/${runId}/${randomUUID()}?a=1&b=two%20words`
}

export async function createLink(
  run: DriverRun,
  fields: Partial<CreateRequest> = {},
  allowsDuplicate = false,
): Promise<ListedLink> {
  const request = { destination_url: newDestination(run), domain: run.domain, ...fields }
  const options = { idempotencyKey: randomUUID(), allowsDuplicate }
  const link = await run.service.create(request, options)
  run.created.push(link)
  return link
}

export function firstLink({ created: [link] }: DriverRun): ListedLink {
  expect(link, 'There is no link.')
  return link
}

export function fullRequest({ runId, domain, capabilities: { fields } }: DriverRun): CreateRequest {
  return {
    destination_url: `https://example.com/${runId}/full?a=1&b=two%20words`,
    domain,
    back_half: `${runId}full`,
    ...(fields.includes('title') && { title: `Title of ${runId}` }),
    ...(fields.includes('expires_at') && {
      expires_at: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    }),
    ...(fields.includes('utm_source') && {
      utm_analytics_enabled: true,
      utm_source: 'news letter',
      utm_campaign: `${runId}+a`,
    }),
  }
}
