import type { InputBlock } from '@slack/types'
import type { DomainRecord } from '../../workspaces/connection.ts'
import { option } from '../block-kit/elements.ts'
import { choiceInput } from '../block-kit/inputs.ts'
import { LIMITS } from '../block-kit/limits.ts'

/**
 * No input if there is only one domain. The default is selected unless the user or the link names another. If that one
 * is not in the menu, the user has to choose: otherwise, the link would get a domain that no one asked for.
 */
export function domainInput(
  selected: string | undefined,
  domains: readonly DomainRecord[],
): InputBlock[] {
  const at = selected === undefined ? 0 : indexOfDomain(selected, domains)
  if (domains.length === 1 && at === 0) return []
  const options = domains.map(({ name, domain_name }) => option(domain_name, name))
  const listed = options.slice(0, LIMITS.selectOptions)
  return [choiceInput('domain', listed, listed[at]?.value, { optional: false })]
}

export function indexOfDomain(
  wanted: string | undefined,
  domains: readonly DomainRecord[],
): number {
  return domains.findIndex(
    ({ name, domain_name: host }) =>
      name === wanted || host.toLowerCase() === wanted?.toLowerCase(),
  )
}
