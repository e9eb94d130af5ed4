import type { SectionBlock } from '@slack/types'
import { percentChange } from '../../chart/report-figures.ts'
import type { Report } from '../../contract/report.ts'
import { formatCount } from '../../web/numbers.ts'
import { section } from '../block-kit/elements.ts'
import { escape, isolate, link, readableUrl } from '../block-kit/mrkdwn.ts'

/** How many links a report names. With texts of these lengths, they fit into one section. */
export const BEST_LINKS = 5
const MAX_TEXT_LENGTH = 60

/**
 * The links with the most clicks, and how their clicks have changed. No block if no link was clicked.
 *
 * @param links a report by link. Only its first links are named; a last row has the clicks on all others
 */
export function bestLinkBlocks({ groups, total_people: total }: Report): SectionBlock[] {
  const best = groups.slice(0, BEST_LINKS).filter(({ people }) => people > 0)
  if (best.length === 0) return []
  const rows = best.map(({ label, title, people, previous_people: before }, index) => {
    const change = percentChange(people, before)
    return [
      `${index + 1}. ${link(label, readableUrl(label, MAX_TEXT_LENGTH))}`,
      ...(title ? [isolate(escape(title, MAX_TEXT_LENGTH))] : []),
      formatCount(people, 'click') + (change === undefined ? '' : ` (${change})`),
    ].join('  ·  ')
  })
  const others = best.reduce((rest, { people }) => rest - people, total)
  const rest = others > 0 ? [`Other links  ·  ${formatCount(others, 'click')}`] : []
  return [section(['*Links with the most clicks*', ...rows, ...rest].join('\n'))]
}
