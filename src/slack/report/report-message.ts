import type { ActionsBlock, KnownBlock, SectionBlock } from '@slack/types'
import { changeText, percentChange, rangeText } from '../../chart/click-figures.ts'
import { reportChart, stackedChartText } from '../../chart/stacked-chart.ts'
import { rangeOf, GROUP_LABELS, type Report, type ReportQuery } from '../../contract/report.ts'
import { formatCount } from '../../web/numbers.ts'
import { alertButton } from '../block-kit/alert-button.ts'
import { actions, button, context, section } from '../block-kit/elements.ts'
import { image, isPicture, type MessageContent } from '../block-kit/messages.ts'
import {
  bold,
  capitalized,
  cut,
  escape,
  isolate,
  link,
  readableUrl,
  shownHost,
} from '../block-kit/mrkdwn.ts'
import { CHART_NOT_ALLOWED } from '../clicks/click-blocks.ts'
import { ACTIONS, COMMAND, REPORT_NAMES, REPORT_PERIODS } from '../ids.ts'
import type { Shown } from '../platform/replies.ts'
import { aboutText, encodeQuery } from './report-query.ts'

export interface ShownReport {
  query: ReportQuery
  report: Report // Grouped as the query says, for the chart.
  links: Report // Grouped by link, for the links with the most clicks.
  now: number
}

/** A report names this many links. With texts of `MAX_TEXT_LENGTH`, they fit into one section. */
export const BEST_LINKS = 5
const MAX_TEXT_LENGTH = 60

const SMALL_PRINT =
  'Only clicks by people are counted. Each counts toward the campaign, source, medium and tags that its link has now. Deleted links are left out.'

const tagHint = (): string => `To see the clicks on a tag, type \`${COMMAND} report tag:NAME\`.`

export const toReportChart = ({ query, report }: ShownReport) =>
  reportChart(capitalized(aboutText(query)), report)

/**
 * Builds the message of a report.
 * @param below the last blocks. By default, these are buttons for the user who asked for the report
 */
export function reportMessage(
  shown: ShownReport,
  { picture, direct }: Shown,
  below: KnownBlock[] = buttons(shown, direct),
): MessageContent {
  const { query, report, links } = shown
  const title = `Clicks on ${aboutText(query)}`
  const days = `${rangeText(report.from, report.to)} (UTC)`
  const total = report.total_people === 0 ? 'No clicks' : formatCount(report.total_people, 'click')
  const change = changeText(report)
  const { unknown = [] } = report
  const unknownTexts = unknown.map((filter) => unknownText(filter))
  const figures = stackedChartText(toReportChart(shown))
  const hasFigures = report.total_people > 0 && query.group_by !== 'link' && !isPicture(picture)
  return {
    text: unknownTexts.join(' ') || escape(`${title}, ${days}: ${total}. ${change}.`),
    blocks: [
      section(`${bold(title)}\n${days}`),
      ...(unknown.length > 0
        ? unknownTexts.map((text) => section(text))
        : [section(`${bold(total)}\n${change}.`)]),
      ...(isPicture(picture) ? [image(figures, picture)] : []),
      ...(hasFigures ? [context(escape(figures))] : []),
      ...bestLinkBlocks(links),
      ...(unknown.length > 0 ? [] : [context(SMALL_PRINT)]),
      ...(picture === 'not_allowed' ? [context(CHART_NOT_ALLOWED)] : []),
      ...below,
    ],
  }
}

/** “No link has the campaign *Summer-Sal*. Did you mean *summer-sale*?”, as mrkdwn by default. */
export function unknownText(
  { filter, name, nearest }: NonNullable<Report['unknown']>[number],
  emphasized = bold,
): string {
  const kind = GROUP_LABELS[filter].toLowerCase()
  const shown = (text: string): string => emphasized(cut(text, MAX_TEXT_LENGTH))
  const sentences = [`No link has the ${kind} ${shown(name)}.`]
  if (nearest.length > 0) sentences.push(`Did you mean ${nearest.map(shown).join(' or ')}?`)
  // A word without a filter is read as a campaign, but the user might have meant a tag.
  else if (filter === 'utm_campaign') sentences.push(tagHint())
  return sentences.join(' ')
}

export function bestLinkBlocks(report: Report): SectionBlock[] {
  const { groups, total_people: total, kept_since: since } = report
  const best = groups.slice(0, BEST_LINKS).filter(({ people }) => people > 0)
  if (best.length === 0) return []
  const rows = best.map(
    ({ label, title, destination_host: host, people, previous_people: before }, index) => {
      // If older clicks were deleted, the period before can't be compared.
      const change = since === undefined ? percentChange(people, before) : undefined
      const destination = host ? ` → ${shownHost(host)}` : ''
      return [
        `${index + 1}. ${link(label, readableUrl(label, MAX_TEXT_LENGTH))}${destination}`,
        ...(title ? [isolate(escape(title, MAX_TEXT_LENGTH))] : []),
        formatCount(people, 'click') + (change === undefined ? '' : ` (${change})`),
      ].join('  ·  ')
    },
  )
  const others = best.reduce((rest, { people }) => rest - people, total)
  const rest = others > 0 ? [`Other links  ·  ${formatCount(others, 'click')}`] : []
  return [section(['*Links with the most clicks*', ...rows, ...rest].join('\n'))]
}

/** The button *Alert me*. An alert is about one campaign, one tag or all links, so other reports have no button. */
function alertButtons({ utm_campaign: campaign, utm_source, utm_medium, tag }: ReportQuery) {
  const [only, ...others] = [
    ...(campaign === undefined ? [] : [['campaign', campaign] as const]),
    ...(tag ?? []).map((name) => ['tag', name] as const),
  ]
  if (others.length > 0 || (utm_source ?? utm_medium) !== undefined) return []
  return alertButton(only ? [...only] : ['all', ''])
}

/** For each name that no link has, a button for each similar name. */
function nameButtons({ query, report: { unknown = [] } }: ShownReport): ActionsBlock[] {
  return unknown.flatMap(({ filter, name, nearest }) => {
    const tagsWith = (similar: string) => query.tag?.map((tag) => (tag === name ? similar : tag))
    const similarNames = nearest.slice(0, REPORT_NAMES.length).flatMap((similar, index) => {
      const id = REPORT_NAMES[index]
      const corrected = { ...query, [filter]: filter === 'tag' ? tagsWith(similar) : similar }
      return id ? [button(similar, id, { value: encodeQuery(corrected) })] : []
    })
    return actions(similarNames)
  })
}

function periodButtons({ query, now }: ShownReport): ActionsBlock[] {
  const shownPeriod = encodeQuery(query)
  const otherPeriods = Object.entries(REPORT_PERIODS).flatMap(([period, id]) => {
    const value = encodeQuery({ ...query, ...rangeOf(period, now) })
    return value === shownPeriod ? [] : [button(capitalized(period), id, { value })]
  })
  return actions(otherPeriods)
}

function buttons(shown: ShownReport, direct: boolean): ActionsBlock[] {
  const { query } = shown
  const value = encodeQuery(query)
  const byLink = query.group_by === 'link'
  const otherGroups = encodeQuery({ ...query, group_by: byLink ? 'utm_source' : 'link' })
  return [
    ...nameButtons(shown),
    ...periodButtons(shown),
    ...actions([
      button(byLink ? 'By source' : 'By link', ACTIONS.reportBy, { value: otherGroups }),
      !direct && button('Share in channel', ACTIONS.shareReport, { value }),
      ...alertButtons(query),
    ]),
  ]
}
