import type { Rule } from '../rule.ts'
import { CREATE_REQUEST_RULES } from './create-request-rules.ts'
import { CREATED_LINK_RULES } from './created-link-rules.ts'
import { ERROR_RULES } from './error-rules.ts'
import { KEY_RULES } from './key-rules.ts'
import { LIST_RULES } from './list-rules.ts'
import { SHORT_URL_RULES } from './short-url-rules.ts'
import { UNSEEN_RULES } from './unseen-rules.ts'

/**
 * The rules in the order in which they are checked. Lists need links of different ages, so they come after the checks
 * that create links. Opening a short URL might change a link, so that comes later. The rules about all responses come last.
 */
export const RULES: readonly Rule[] = [
  ...CREATED_LINK_RULES,
  ...CREATE_REQUEST_RULES,
  ...LIST_RULES,
  ...KEY_RULES,
  ...SHORT_URL_RULES,
  ...ERROR_RULES,
  ...UNSEEN_RULES,
]
