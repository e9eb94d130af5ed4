import type { DomainsForm } from '../../blocks/settings/domains-modal.ts'
import { LINES_BLOCKS, SETTINGS_BLOCKS } from '../../ids.ts'
import { parseDomains, type Domains } from '../domain-lines.ts'
import { chosenOption, type FormValues } from '../form-values.ts'
import { textsOf } from '../lines.ts'
import { SlackInputError, type Fault } from '../slack-input-error.ts'

/** What the form about domains holds. */
export function readDomainsForm(values: FormValues): Pick<DomainsForm, 'texts' | 'chosen'> {
  return {
    texts: textsOf(values, LINES_BLOCKS.domains),
    chosen: chosenOption(values, SETTINGS_BLOCKS.defaultDomain),
  }
}

/**
 * The records, the chosen one first. Where its line is gone, the first line is the default.
 *
 * @throws SlackInputError with each fault at its input
 */
export function checkDomains({ texts, chosen }: Pick<DomainsForm, 'texts' | 'chosen'>): Domains {
  const faults: Fault[] = []
  const domains = parseDomains(texts, faults)
  if (!domains) throw new SlackInputError(faults)
  const first = domains.find(({ name }) => name === chosen) ?? domains[0]
  return [first, ...domains.filter((domain) => domain !== first)]
}
