import { listQuery, type ListQuery } from '../contract/list-query.ts'
import { createFieldFaults } from './field-faults.ts'

/** Items on one page at most. The interface leaves this open (spec §8), so it is ours to say. */
export const MAX_PER_PAGE = 100

const PER_PAGE_RULE = `Use a whole number from 1 to ${MAX_PER_PAGE}.`

const RULES = new Map([
  ['page', 'Use a whole number from 1.'],
  ['per_page', PER_PAGE_RULE],
  ['sort_by', 'Use most_recent, created_at or updated_at.'],
  ['order', 'Use asc or desc.'],
])

/**
 * A list's query (spec §4.3).
 *
 * @throws ServiceError VALIDATION_ERROR that names every parameter at fault, unknown ones included
 */
export function parseListQuery(query: unknown): ListQuery {
  const faults = createFieldFaults()
  const parsed = listQuery.safeParse(query)
  for (const issue of parsed.error?.issues ?? []) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])]
    for (const name of names) faults.add(name, RULES.get(name) ?? 'There is no such parameter.')
  }
  if (parsed.data && parsed.data.per_page > MAX_PER_PAGE) {
    faults.add('per_page', PER_PAGE_RULE)
  }
  faults.throwIfAny()
  if (!parsed.success) throw parsed.error
  return parsed.data
}
