import type { Clock } from '../timing/clock.ts'
import type { Rule, Trial } from './rule.ts'
import { createTestLinks, type TestLinks } from './test-links.ts'
import { Unanswered, Unchecked, type TestedService } from './tested-service.ts'

/** What is known about a rule after its check. */
export interface Finding {
  id: string
  section: string
  rule: string
  status: 'holds' | 'broken' | 'unchecked'
  /** The request and the answer that broke the rule, in short. */
  sent?: string
  received?: string
  /** What the app can't do if the rule is broken. */
  otherwise?: string
  /** Why the rule couldn't be checked. */
  reason?: string
}

/** Checks one rule after the other. Returns the findings in the order of the specification. */
export async function checkService(
  rules: readonly Rule[],
  service: TestedService,
  clock: Pick<Clock, 'sleep'>,
): Promise<Finding[]> {
  const links: TestLinks = createTestLinks(service, clock)
  const findings: Finding[] = []
  for (const rule of rules) findings.push(await checkRule(rule, { service, links }))
  return findings.toSorted((one, other) => Number(one.section) - Number(other.section))
}

async function checkRule(
  { id, section, rule, otherwise, check }: Rule,
  trial: Trial,
): Promise<Finding> {
  const about = { id, section, rule }
  try {
    if (typeof check === 'string') throw new Unchecked(check)
    const outcome = await check(trial)
    return { ...about, ...outcome, ...(outcome.status !== 'holds' && { otherwise }) }
  } catch (error) {
    if (error instanceof Unchecked) {
      return { ...about, status: 'unchecked', reason: error.message, otherwise }
    }
    if (!(error instanceof Unanswered)) throw error
    const { sent, message: received } = error
    return { ...about, status: 'broken', sent, received, otherwise }
  }
}
