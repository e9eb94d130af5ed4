import type { LinkName, TestLinks } from './test-links.ts'
import type { Answer, TestedService } from './tested-service.ts'

/** What a check needs: the service, and the links that were made on it. */
export interface Trial {
  service: TestedService
  links: TestLinks
}

export type Check = (trial: Trial) => Promise<Outcome>

/** A rule of the link service's specification. */
export interface Rule {
  id: string
  /** The section of the specification. */
  section: string
  /** What the specification requires, as a sentence. */
  rule: string
  /** What the app can't do with a service that breaks the rule. */
  otherwise: string
  /** The links that the check makes, unless an earlier check has made them. */
  links?: readonly LinkName[]
  /** A text explains why the rule can't be checked. */
  check: Check | string
}

export type Outcome =
  | { status: 'holds' }
  | { status: 'broken'; sent: string; received: string }
  | { status: 'unchecked'; reason: string }

export const HOLDS: Outcome = { status: 'holds' }

/** @param found what is wrong with the answer, if its status and its text don't show it */
export function broken({ sent, received }: Answer, found?: string): Outcome {
  return { status: 'broken', sent, received: found ? `${received}. ${found}` : received }
}

/** A rule about the status of an answer. */
export function hasStatus(answer: Answer, ...statuses: readonly number[]): Outcome {
  return statuses.includes(answer.status) ? HOLDS : broken(answer)
}

/** Returns the first outcome that is not `holds`. */
export async function all(checks: readonly (() => Promise<Outcome>)[]): Promise<Outcome> {
  for (const check of checks) {
    const outcome = await check()
    if (outcome.status !== 'holds') return outcome
  }
  return HOLDS
}
