import { checkDomainDns } from '../http/domain-dns.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import { summary, type Finding } from './check.ts'
import { MAX_HOSTNAMES } from './key-checks.ts'

const STATUS = { ok: 'ok', missing: 'failed', elsewhere: 'warning', unknown: 'unchecked' } as const

/** Checks whether DNS leads the hostnames of domain records to the link service. */
export async function checkDomains(
  hostnames: readonly string[],
  servicePublicUrl: string,
): Promise<Finding[]> {
  const target = new URL(servicePublicUrl).hostname
  if (hostnames.length === 0 || isLoopbackHostname(target)) return []
  const found = await Promise.all(
    hostnames.map(async (name): Promise<Finding> => {
      const { status, message } = await checkDomainDns(name, target)
      return { name, status: STATUS[status], message }
    }),
  )
  if (found.every(({ status }) => status === 'unchecked')) return found
  const problems = found.filter(({ status }) => status !== 'ok')
  const leading = found.length - problems.length
  const message = `DNS leads ${leading} of ${found.length} hostnames to ${target}. (Only the newest ${MAX_HOSTNAMES} are checked.)`
  return [summary('Domain records', message, problems), ...problems]
}
