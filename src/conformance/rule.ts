import type { Clock } from '../timing/clock.ts'
import { createTestLinks, isCreated, type OptionalField, type TestLinks } from './test-links.ts'
import { Unanswered, Unchecked, type Answer, type TestedService } from './tested-service.ts'

export interface Rule {
  id: string
  section: string
  rule: string
  /** What the app can't do with a service that breaks the rule; undefined if the app doesn't need the rule. */
  otherwise?: string | undefined
  /** A string is the reason why the rule can't be checked. */
  check: Check | string
}

export function rows<Shared extends Partial<Rule>>(
  shared: Shared,
  ...rules: readonly (Omit<Rule, keyof Shared> & Partial<Rule>)[]
): Rule[] {
  return rules.map((rule) => ({ ...shared, ...rule }) as unknown as Rule)
}

export interface Trial {
  service: TestedService
  links: TestLinks
}

/**
 * @returns undefined if the rule holds
 * @throws Unchecked; Unanswered, which breaks the rule
 */
export type Check = (trial: Trial) => Promise<Fault | undefined>

export interface Fault {
  answer: Answer
  found?: string | undefined
}

export type Request = (trial: Trial) => Promise<Answer>

type Test = (answer: Answer, trial: Trial) => boolean | Promise<boolean>

export function answers(requests: Request | readonly Request[], test: Test, found?: string): Check {
  return async (trial) => {
    for (const request of [requests].flat()) {
      const answer = await request(trial)
      if (!(await test(answer, trial))) return { answer, found }
    }
    return undefined
  }
}

export function hasStatus(...statuses: readonly number[]): Test {
  return ({ status }) => statuses.includes(status)
}

export const isRefused = hasStatus(400, 422)

/** A refusal proves nothing if the service refuses every create, so a plain create must succeed first. */
export function afterCreate(check: Check): Check {
  return async (trial) => {
    await trial.links.requireLink('plain')
    return check(trial)
  }
}

export const withField =
  (field: OptionalField): Request =>
  async ({ links }) => {
    const answer = await links.createWithField(field)
    if (!isCreated(answer)) throw new Unchecked(`the service refuses ${field}`)
    return answer
  }

/** Skips a rule if nothing is at its path: the rule about paths (spec §9) reports that. */
export const unlessNotFound =
  (request: Request): Request =>
  async (trial) => {
    const answer = await request(trial)
    if (answer.status === 404) throw new Unchecked('there is nothing at this address (see §9)')
    return answer
  }

export interface Finding extends Pick<Rule, 'id' | 'section' | 'rule'> {
  status: 'holds' | 'broken' | 'unchecked'
  sent?: string
  received?: string
  otherwise?: string | undefined
  reason?: string
}

export async function checkService(
  rules: readonly Rule[],
  service: TestedService,
  clock: Pick<Clock, 'sleep'>,
): Promise<Finding[]> {
  const trial = { service, links: createTestLinks(service, clock) }
  const findings: Finding[] = []
  for (const rule of rules) findings.push(await checkRule(rule, trial))
  return findings.toSorted((one, other) => Number(one.section) - Number(other.section))
}

async function checkRule(
  { id, section, rule, otherwise, check }: Rule,
  trial: Trial,
): Promise<Finding> {
  const about = { id, section, rule }
  try {
    if (typeof check === 'string') throw new Unchecked(check)
    const fault = await check(trial)
    if (!fault) return { ...about, status: 'holds' }
    const { answer, found } = fault
    const received = found ? `${answer.received}. ${found}` : answer.received
    return { ...about, status: 'broken', sent: answer.sent, received, otherwise }
  } catch (error) {
    if (error instanceof Unchecked) {
      return { ...about, status: 'unchecked', reason: error.message }
    }
    if (!(error instanceof Unanswered)) throw error
    const { sent, message: received } = error
    return { ...about, status: 'broken', sent, received, otherwise }
  }
}
