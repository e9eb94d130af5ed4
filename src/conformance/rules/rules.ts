import type { Rule } from '../rule.ts'
import { CREATE_REQUEST_RULES } from './create-request-rules.ts'
import { CREATED_LINK_RULES } from './created-link-rules.ts'
import { ERROR_RULES } from './error-rules.ts'
import { KEY_RULES } from './key-rules.ts'
import { LIST_RULES } from './list-rules.ts'
import { SHORT_URL_RULES } from './short-url-rules.ts'
import { UNCHECKED_RULES } from './unchecked-rules.ts'

/**
 * The rules in the order in which they are checked. Lists need links of different ages, so they come after the checks
 * that create links. Opening a short URL might change its link, so short URLs come later. The rules about all responses
 * come last.
 */
export const RULES: readonly Rule[] = [
  CREATED_LINK_RULES,
  CREATE_REQUEST_RULES,
  LIST_RULES,
  KEY_RULES,
  SHORT_URL_RULES,
  ERROR_RULES,
  UNCHECKED_RULES,
].flatMap((table) => Object.entries(table).map(([id, rule]) => ({ id, ...rule })))

/** Returns the rules of a section, such as 4.1, or of its subsections. Without a section, returns all rules. */
export function rulesIn(section: string | undefined): readonly Rule[] {
  if (section === undefined) return RULES
  return RULES.filter((rule) => rule.section === section || rule.section.startsWith(`${section}.`))
}
