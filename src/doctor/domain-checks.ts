import type { ExistingDatabase } from '../database/existing-database.ts'
import { checkDomainDns } from '../http/domain-dns.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import { summary, type Finding } from './check.ts'
import type { Deployment } from './deployment.ts'

/** How many of the newest hostnames are checked. */
const MAX_HOSTNAMES = 20

const STATUS = { ok: 'ok', missing: 'failed', elsewhere: 'warning', unknown: 'unchecked' } as const

/** Checks whether DNS leads the hostnames of domain records to the link service. */
export async function checkDomains(
  { config: { linkService, servicePublicUrl }, isInvalid }: Deployment,
  { db }: ExistingDatabase,
  signal: AbortSignal,
): Promise<Finding[]> {
  if (linkService.kind === 'external' || isInvalid('SERVICE_PUBLIC_URL')) return []
  const target = new URL(servicePublicUrl).hostname
  if (isLoopbackHostname(target)) return []
  const rows = await db
    .selectFrom('domains')
    .select('domain_name')
    .where('domain_name', '<>', '')
    .groupBy('domain_name')
    .orderBy(({ fn }) => fn.max('created_at'), 'desc')
    .limit(MAX_HOSTNAMES)
    .execute()
  if (rows.length === 0) return []
  const found = await Promise.all(
    rows.map(async ({ domain_name: name }): Promise<Finding> => {
      const { status, message } = await checkDomainDns(name, target, signal)
      return { name, status: STATUS[status], message }
    }),
  )
  const problems = found.filter(({ status }) => status !== 'ok')
  const rest = rows.length === MAX_HOSTNAMES ? ` Only the newest ${MAX_HOSTNAMES} are checked.` : ''
  const leading = rows.length - problems.length
  const message = `${leading} of ${rows.length} hostnames lead to ${target}.${rest}`
  return [summary('Domain records', message, problems), ...problems]
}
