import type { ImageBlock } from '@slack/types'
import type { LinkDetails } from '../../port/links.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import type { Alert, AlertEvent, StoredAlert } from '../../workspaces/alerts.ts'
import { actions, button, context, present, section } from '../block-kit/elements.ts'
import { textMessage, type MessageContent } from '../block-kit/messages.ts'
import { capitalized, escape, isolate, mention, moment, shownHost } from '../block-kit/mrkdwn.ts'
import { ACTIONS, COMMAND } from '../ids.ts'
import { alertText, linkText, subjectText } from './conditions.ts'
import { MAX_A_DAY, type Due } from './evaluate.ts'

const MAX_EVENTS = 10
const MAX_TITLE_LENGTH = 100
const CHART = 'chart_with_upwards_trend'

/** `number` is the number in the alert's condition. */
type EventText = (event: AlertEvent, number: number) => string

const EVENTS: Record<AlertEvent['what'], [emoji: string, text: EventText]> = {
  reached: ['tada', ({ clicks = 0 }) => `reached ${formatCount(clicks, 'click')}`],
  busy: [CHART, ({ clicks = 0 }) => `got ${formatCount(clicks, 'click')} in a day`],
  above_average: [
    CHART,
    ({ clicks = 0 }, number) =>
      `got ${formatCount(clicks, 'click')} in a day, at least ${formatNumber(number)} times the daily average of the 14 days before`,
  ],
  silent: ['zzz', (_, number) => `got no clicks for ${formatCount(number, 'day')}`],
  created: ['new', () => 'was created'],
  moved: ['arrow_right', () => 'now leads to another destination'],
  off: ['no_entry_sign', () => 'was turned off'],
  changed: ['pencil2', () => 'was changed'],
  deleted: ['wastebasket', () => 'was deleted'],
  expires: ['hourglass_flowing_sand', ({ at = 0 }) => `expires on ${moment(at)}`],
  dead: ['warning', () => 'leads to a destination that no longer works'],
}

export function alertMessage(
  stored: StoredAlert,
  due: Due,
  links: readonly LinkDetails[],
  chart?: ImageBlock,
): MessageContent {
  const { alert, createdBy, id } = stored
  const rows = due.events.slice(0, MAX_EVENTS).map((event) => eventRow(alert, event, links))
  const others = due.events.length - rows.length
  const isOver = alert.condition === 'reaches'
  const notes = present([
    `${mention(createdBy)} asked for a message when ${alertText(alert)}.`,
    isOver && 'This alert is sent only once, so it has ended.',
    !isOver &&
      due.isLastToday &&
      `This alert has sent ${MAX_A_DAY} messages within a day, so the next one comes in 24 hours at the earliest, with everything that has happened by then.`,
  ])
  return {
    text: rows[0]?.split('\n')[0] ?? '',
    blocks: present([
      ...rows.map((row) => section(row)),
      others > 0 && section(`and ${formatNumber(others)} more`),
      chart,
      context(notes.join(' ')),
      ...actions([!isOver && button('Stop this alert', ACTIONS.stopAlert, { value: id })]),
    ]),
  }
}

/** `:tada: *go.example.com/spring* reached 100 clicks.` and, in a second line, the link's title, host and clicks. */
function eventRow(
  { about, number = 0 }: Alert,
  event: AlertEvent,
  links: readonly LinkDetails[],
): string {
  const link = event.link ?? (about.kind === 'link' ? about : undefined)
  const subject = link ? `*${linkText(link.shortUrl)}*` : capitalized(subjectText(about))
  const details = links.find(({ name }) => name === link?.name)
  const title = details?.title ?? event.link?.title
  const facts = present([
    title && isolate(escape(title, MAX_TITLE_LENGTH)),
    details && `leads to ${shownHost(details.destination_url)}`,
    details?.clicks !== undefined && `${formatCount(details.clicks, 'click')} in total`,
  ])
  const [emoji, text] = EVENTS[event.what]
  const headline = `:${emoji}: ${subject} ${text(event, number)}.`
  return present([headline, facts.join('  ·  ')]).join('\n')
}

const ENDINGS = {
  left: ({ createdBy }: StoredAlert) =>
    `${mention(createdBy)} can no longer see this workspace’s links, so their alert here has ended. To set it up again, use \`${COMMAND} alerts\`.`,
  channel: ({ alert: { channel = '' } }: StoredAlert) =>
    `Backhalf can’t post in <#${channel}> anymore, so your alert there has ended. Either someone removed Backhalf, or the channel was archived or restricted. To set it up again, use \`${COMMAND} alerts\`.`,
  deleted: ({ createdBy }: StoredAlert) =>
    `The link was deleted, so the alert that ${mention(createdBy)} set up has ended.`,
  disconnected: () =>
    `This workspace was disconnected from its link service, so your alerts have ended.`,
} as const

export type Ending = keyof typeof ENDINGS

export function endingMessage(
  ending: Ending,
  ended: readonly [StoredAlert, ...StoredAlert[]],
): MessageContent {
  const list = ended.map(({ alert }) => `•  A message when ${alertText(alert)}`)
  return textMessage([`:no_bell: ${ENDINGS[ending](ended[0])}`, ...list].join('\n'))
}

export function stoppedMessage({ alert }: StoredAlert, by: string): MessageContent {
  return textMessage(
    `:no_bell: ${mention(by)} stopped your alert, which sent a message when ${alertText(alert)}. To set it up again, use \`${COMMAND} alerts\`.`,
  )
}
