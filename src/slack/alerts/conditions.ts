import type { Alert, AlertCondition, AlertSubject } from '../../workspaces/alerts.ts'
import type { Capabilities } from '../../port/capabilities.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { bold, link, mention, readableUrl } from '../block-kit/mrkdwn.ts'

const MAX_URL_LENGTH = 60

interface Condition {
  label: string
  number?: { means: string; min: number; max: number; example: number } // Absent if none is needed.
  text(number: number, isSingle: boolean): string
  countsClicks?: true
  // Absent if every link service offers the condition.
  isOffered?(capabilities: Capabilities, about: AlertSubject['kind']): boolean
}

const gets = (isSingle: boolean): string => (isSingle ? 'gets' : 'get')

export const CONDITIONS: Record<AlertCondition, Condition> = {
  reaches: {
    label: 'It reaches a number of clicks (once)',
    number: { means: 'clicks', min: 1, max: 1_000_000_000, example: 1_000 },
    text: (number, isSingle) => `${isSingle ? 'reaches' : 'reach'} ${formatCount(number, 'click')}`,
    countsClicks: true,
  },
  in_a_day: {
    label: 'It gets more than a number of clicks in a day',
    number: { means: 'clicks', min: 1, max: 1_000_000_000, example: 100 },
    text: (number, isSingle) =>
      `${gets(isSingle)} more than ${formatCount(number, 'click')} in a day`,
    countsClicks: true,
  },
  times_average: {
    label: 'It gets several times its average daily clicks',
    number: { means: 'times the average of the last 14 days', min: 2, max: 1_000, example: 5 },
    text: (number, isSingle) =>
      `${gets(isSingle)} ${formatNumber(number)} times ${isSingle ? 'its' : 'their'} average daily clicks over the last 14 days`,
    countsClicks: true,
  },
  no_clicks: {
    label: 'It gets no clicks for a number of days',
    number: { means: 'days', min: 1, max: 28, example: 7 },
    text: (number, isSingle) =>
      `${gets(isSingle)} no clicks for ${formatCount(number, 'day')} after getting some`,
    countsClicks: true,
  },
  changes: {
    label: 'It is created, changed, turned off or deleted',
    text: (_, isSingle) =>
      isSingle
        ? 'changes its destination, is turned off or is deleted'
        : 'is created, changes its destination, is turned off or is deleted',
    isOffered: ({ get }, about) => about !== 'link' || get,
  },
  expires: {
    label: 'It expires within a number of days',
    number: { means: 'days', min: 1, max: 365, example: 3 },
    text: (number) => `expires within ${formatCount(number, 'day')}`,
    isOffered: ({ fields, get }, about) =>
      fields.includes('expires_at') && (about !== 'link' || get),
  },
  dead: {
    label: 'Its destination no longer works',
    text: () => 'leads to a destination that no longer works',
    isOffered: ({ deadFilter }) => deadFilter,
  },
}

export const countsClicks = ({ condition }: Pick<Alert, 'condition'>): boolean =>
  CONDITIONS[condition].countsClicks === true

export const isOffered = (
  condition: AlertCondition,
  capabilities: Capabilities,
  about: AlertSubject['kind'],
): boolean => CONDITIONS[condition].isOffered?.(capabilities, about) ?? true

export const linkText = (shortUrl: string): string =>
  link(shortUrl, readableUrl(shortUrl, MAX_URL_LENGTH))

/** `the links with the tag *spring*` or `a link with the tag *spring*`, as mrkdwn. */
export function subjectText(about: AlertSubject, article: 'the' | 'a' = 'the'): string {
  const links = article === 'the' ? 'the links' : 'a link'
  switch (about.kind) {
    case 'link':
      return linkText(about.shortUrl)
    case 'tag':
      return `${links} with the tag ${bold(about.name)}`
    case 'campaign':
      return `${links} of the campaign ${bold(about.name)}`
    case 'all':
      return article === 'the' ? 'all links' : 'any link'
  }
}

/** `the links with the tag *spring* together get more than 50 clicks in a day`, as mrkdwn. */
export function alertText({ about, condition, number = 0 }: Alert): string {
  const isSingle = about.kind === 'link'
  const predicate = CONDITIONS[condition].text(number, isSingle)
  if (isSingle) return `${subjectText(about)} ${predicate}`
  return countsClicks({ condition })
    ? `${subjectText(about)} together ${predicate}`
    : `${subjectText(about, 'a')} ${predicate}`
}

// "directly to <@U0123ABCD>" or "to <#C0123ABCD>"
export const placeText = (createdBy: string, { channel }: Alert): string =>
  channel === undefined ? `directly to ${mention(createdBy)}` : `to <#${channel}>`
