import type { Clock } from '../timing/clock.ts'
import { createTestLinks, isCreated, type OptionalField, type TestLinks } from './test-links.ts'
import {
  NoResponse,
  Unchecked,
  type ServiceResponse,
  type TestedService,
} from './tested-service.ts'

export interface Rule {
  id: string
  section: string
  rule: string
  /** The effect on users of the app if a service breaks the rule; undefined if the app doesn't need the rule. */
  otherwise?: string | undefined
  /** A string is the reason why the rule can't be checked. */
  check: Check | string
}

export type RuleTable = Record<string, Omit<Rule, 'id'>>

/** @param otherwise the effect of rules that have none of their own */
export function inSection(
  section: string,
  otherwise: string | undefined,
  rules: Record<string, Omit<Rule, 'id' | 'section'> & Partial<Rule>>,
): RuleTable {
  const entries = Object.entries(rules).map(([id, rule]) => [id, { section, otherwise, ...rule }])
  return Object.fromEntries(entries) as RuleTable
}

export interface Trial {
  service: TestedService
  links: TestLinks
}

/** @throws Unchecked if the check could not be carried out, and NoResponse, which breaks the rule */
export type Check = (trial: Trial) => Promise<Fault | undefined>

export interface Fault {
  response: ServiceResponse
  explanation?: string | undefined
}

export type TrialRequest = (trial: Trial) => Promise<ServiceResponse>

type Test = (response: ServiceResponse, trial: Trial) => boolean | Promise<boolean>

/** Sends each request. The rule holds if the responses pass the test. `explanation` says what a failed test means. */
export function responds(
  requests: TrialRequest | readonly TrialRequest[],
  test: Test,
  explanation?: string,
): Check {
  return async (trial) => {
    for (const request of [requests].flat()) {
      const response = await request(trial)
      if (!(await test(response, trial))) return { response, explanation }
    }
    return undefined
  }
}

export function hasStatus(...statuses: readonly number[]): Test {
  return ({ status }) => statuses.includes(status)
}

export const isRefused = hasStatus(400, 422)

/** Requires a created link, because a service that refuses every link would otherwise pass all rules about refusals. */
export function respondsAfterCreate(...parameters: Parameters<typeof responds>): Check {
  return async (trial) => {
    await trial.links.requireLink('plain')
    return responds(...parameters)(trial)
  }
}

export const withField =
  (field: OptionalField): TrialRequest =>
  async ({ links }) => {
    const response = await links.createFullOrWith(field)
    if (!isCreated(response)) throw new Unchecked(`the service refuses ${field}`)
    return response
  }

/** Skips a rule if the service has nothing at its path. The rule about paths (spec §9) reports that. */
export const unlessNotFound =
  (request: TrialRequest): TrialRequest =>
  async (trial) => {
    const response = await request(trial)
    if (response.status === 404) throw new Unchecked('there is nothing at this address (see §9)')
    return response
  }

export interface Finding extends Pick<Rule, 'id' | 'section' | 'rule'> {
  status: 'holds' | 'broken' | 'unchecked'
  sent?: string
  received?: string
  otherwise?: string | undefined
  reason?: string
}

export async function checkRules(
  rules: readonly Rule[],
  service: TestedService,
  clock: Pick<Clock, 'sleep'>,
): Promise<Finding[]> {
  const trial = { service, links: createTestLinks(service, clock) }
  const findings: Finding[] = []
  for (const rule of rules) findings.push(await checkRule(rule, trial))
  return findings.toSorted((one, other) => Number(one.section) - Number(other.section))
}

async function checkRule({ check, otherwise, ...about }: Rule, trial: Trial): Promise<Finding> {
  try {
    if (typeof check === 'string') throw new Unchecked(check)
    const fault = await check(trial)
    if (!fault) return { ...about, status: 'holds' }
    const { response, explanation } = fault
    const received = explanation ? `${response.received}. ${explanation}` : response.received
    return { ...about, status: 'broken', sent: response.sent, received, otherwise }
  } catch (error) {
    if (error instanceof Unchecked) return { ...about, status: 'unchecked', reason: error.message }
    if (!(error instanceof NoResponse)) throw error
    return { ...about, status: 'broken', sent: error.sent, received: error.message, otherwise }
  }
}

export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
