import type { InputBlock } from '@slack/types'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { option } from '../block-kit/elements.ts'
import { choiceInput } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'

/**
 * No input if there is only one domain. The default is selected unless the user or the link names another. If that one
 * is not in the menu, the user has to choose: otherwise, the link would get a domain that no one asked for.
 *
 * @param domains the workspace's domain records, the default first
 */
export function domainInput(
  selected: string | undefined,
  domains: readonly DomainRecord[],
): InputBlock[] {
  const at = selected === undefined ? 0 : indexOfDomain(selected, domains)
  if (domains.length === 1 && at === 0) return []
  const options = domains.map((record, index) =>
    option(record.domain_name, domainValue(record, index)),
  )
  const listed = options.slice(0, LIMITS.selectOptions)
  return [choiceInput('domain', listed, listed[at]?.value, { optional: false })]
}

/** An ID that Slack's menus accept and send back unchanged. */
const MENU_ID = new RegExp(`^[\\w.:-]{1,${LIMITS.optionValue}}$`)

/**
 * Identifies a domain record in a menu: its ID, or, if Slack would not accept that, its position with the
 * start of the ID, so that after a change of the records it matches none of them rather than another one.
 */
export function domainValue({ name }: DomainRecord, index: number): string {
  if (MENU_ID.test(name)) return name
  return `#${index} ${name.replace(/[^\w.:-]/g, '').slice(0, 60)}`
}

/**
 * The index of a domain record; -1 if no record fits.
 *
 * @param wanted the record's ID, its hostname or its value in a menu
 */
export function indexOfDomain(
  wanted: string | undefined,
  domains: readonly DomainRecord[],
): number {
  return domains.findIndex(
    (record, index) =>
      record.name === wanted ||
      domainValue(record, index) === wanted ||
      record.domain_name.toLowerCase() === wanted?.toLowerCase(),
  )
}
