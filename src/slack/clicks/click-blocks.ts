import type { KnownBlock, ModalView, SectionBlock } from '@slack/types'
import { MAX_REFERRERS, type LinkClicks } from '../../contract/extension-calls.ts'
import { clickFigures, figuresText } from '../../chart/click-figures.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { alertButton } from '../block-kit/alert-button.ts'
import { actions, context, present, section } from '../block-kit/elements.ts'
import { image, type MessageContent, isPicture, type PictureState } from '../block-kit/messages.ts'
import { bold, cut, escape, isolate, link, moment, readableUrl } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { leadsToHost, linkState, linkStateText, toShownLink } from '../block-kit/shown-link.ts'
import type { ListLink } from '../links/link-lists.ts'
import type { CountedLink } from './read-clicks.ts'

const MAX_TITLE_LENGTH = 150
const MAX_URL_LENGTH = 200

function clickBlocks(counted: CountedLink, now: number, picture?: PictureState): KnownBlock[] {
  const { link, clicks, total } = counted
  const alert = actions(alertButton(['link', link.shortlink_url]))
  if (!clicks) return [section(heading(link, now)), ...totalBlocks(total), ...alert]
  return [
    section(heading(link, now)),
    figureFields(clicks),
    ...(isPicture(picture) ? [image(chartText(link, clicks), picture)] : []),
    ...referrerBlocks(clicks),
    context(smallPrint(clicks)),
    ...(picture === 'not_allowed' ? [context(CHART_NOT_ALLOWED)] : []),
    ...alert,
  ]
}

export function clicksMessage(
  counted: CountedLink,
  now: number,
  picture?: PictureState,
): MessageContent {
  const { clicks, link } = counted
  const text = clicks ? `. ${figuresText(clicks)}` : ''
  return {
    text: `Clicks on ${escape(readableUrl(link.shortlink_url, MAX_URL_LENGTH))}${text}`,
    blocks: clickBlocks(counted, now, picture),
  }
}

/** Builds a message with only the chart. It is sent if Slack can't add the chart to the message with the figures. */
export function chartMessage(subject: string, alt: string, picture: PictureState): MessageContent {
  if (isPicture(picture)) {
    return { text: `Chart of the clicks on ${escape(subject)}`, blocks: [image(alt, picture)] }
  }
  const text = `The chart of the clicks on ${escape(subject)} can’t be shown right now.`
  return { text, blocks: [context(text)] }
}

export function clicksModal(counted: CountedLink, now: number, picture?: PictureState): ModalView {
  return readOnlyModal('Clicks', clickBlocks(counted, now, picture))
}

export const CHART_NOT_ALLOWED =
  'To show a chart here, Backhalf needs permission to upload files. An admin can grant it by installing the app again.'

function heading(counted: ListLink, now: number): string {
  const { shortlink_url: shortUrl, title, enabled, isUnchecked } = counted
  const isOn = enabled === true && linkState(counted, now) === undefined
  const states = [isOn && ':white_check_mark: on', !isUnchecked && linkStateText(counted, now)]
  return present([
    `*Clicks on ${link(shortUrl, readableUrl(shortUrl, MAX_URL_LENGTH))}*`,
    title && isolate(escape(cut(title, MAX_TITLE_LENGTH))),
    ...leadsToHost(toShownLink(counted, now)),
    present(states).join('  ·  '),
  ]).join('\n')
}

function figureFields(clicks: LinkClicks): SectionBlock {
  const { today, last7Days, last30Days, total } = clickFigures(clicks)
  const figures: [string, number][] = [
    ['Today', today],
    ['Last 7 days', last7Days],
    ['Last 30 days', last30Days],
    ['All time', total],
  ]
  return {
    type: 'section',
    fields: figures.map(([label, value]) => ({
      type: 'mrkdwn',
      text: `${label}\n${bold(formatNumber(value))}`,
    })),
  }
}

export function chartText({ shortlink_url: shortUrl }: ListLink, clicks: LinkClicks): string {
  return `Chart of the last ${formatCount(clicks.days.length, 'day')} of ${shortUrl}. ${figuresText(clicks)}`
}

/** Lists the sites that people came from. The last row has all other clicks, so that the rows add up to all clicks. */
function referrerBlocks({ days, referrers }: LinkClicks): KnownBlock[] {
  const sum = (counts: readonly { people: number }[]): number =>
    counts.reduce((total, { people }) => total + people, 0)
  const others = sum(days) - sum(referrers)
  const rest =
    referrers.length < MAX_REFERRERS ? 'Direct or unknown' : 'Other sites, direct or unknown'
  const rows = referrers.map(({ host, people }) => {
    const from = isolate(escape(cut(host, MAX_HOST_LENGTH)))
    return `${from}  ·  ${formatNumber(people)}`
  })
  if (others > 0) rows.push(`${rest}  ·  ${formatNumber(others)}`)
  if (rows.length === 0) return []
  const heading = `*Where people came from in ${formatCount(days.length, 'day')}*`
  return [section([heading, ...rows].join('\n'))]
}

const MAX_HOST_LENGTH = 100

function smallPrint({ days, total_bots: totalBots }: LinkClicks): string {
  const often = totalBots === 1 ? 'once' : `${formatNumber(totalBots)} times`
  const start = Date.parse(days.at(-1)?.date ?? '')
  return present([
    'Only clicks by people are counted.',
    totalBots > 0 &&
      `Programs, such as search engines, opened the link ${often} more in ${formatCount(days.length, 'day')}.`,
    !Number.isNaN(start) && `Days are counted in UTC: today began on ${moment(start)}.`,
  ]).join(' ')
}

function totalBlocks(total: number | undefined): KnownBlock[] {
  if (total === undefined) {
    return [section('This workspace’s link service doesn’t report clicks.')]
  }
  return [
    section(`${bold(formatCount(total, 'click'))} in total`),
    context(
      'This workspace’s link service doesn’t report when links were clicked, so there are no daily figures, no referrers and no chart.',
    ),
  ]
}
