import { z } from 'zod'
import { dayOf, type DayRange } from '../timing/days.ts'
import { count, keptSince, MAX_CLICK_DAYS, success, utcDay } from './extension-calls.ts'
import { filterText, tagNames, wireCount } from './list-query.ts'
import { MAX_NEAREST, MAX_TAGS } from './tags.ts'

export const GROUP_LABELS = {
  utm_campaign: 'Campaign',
  utm_source: 'Source',
  utm_medium: 'Medium',
  tag: 'Tag',
  domain: 'Domain',
  link: 'Link',
  creator: 'Creator',
} as const

export type ReportGroup = keyof typeof GROUP_LABELS

export const REPORT_GROUPS = Object.keys(GROUP_LABELS) as [ReportGroup, ...ReportGroup[]]

export const MAX_REPORT_GROUPS = 100

const propertyFilter = (property: string, note: string) =>
  filterText
    .optional()
    .describe(
      `Only links with this ${property}. ${note} If empty, only links without a ${property}.`,
    )

export const NAMED_FILTERS = ['utm_campaign', 'utm_source', 'utm_medium', 'tag'] as const

export type NamedFilter = (typeof NAMED_FILTERS)[number]

const SPELLING = 'Case is ignored, and spaces, - and _ count as the same character.'

export const reportQuery = z.strictObject({
  from: utcDay
    .optional()
    .describe('The first day, in UTC. By default, the first day of the last day’s month.'),
  to: utcDay
    .optional()
    .describe(`The last day. By default, today. A range has at most ${MAX_CLICK_DAYS} days.`),
  group_by: z
    .enum(REPORT_GROUPS, `Use ${REPORT_GROUPS.join(', ')}.`)
    .default('utm_source')
    .describe('What the clicks are grouped by. `creator` needs the scope shortlinks:update.'),
  limit: wireCount(10, MAX_REPORT_GROUPS).describe('The number of groups in the report.'),
  utm_campaign: propertyFilter('campaign', SPELLING),
  utm_source: propertyFilter('source', SPELLING),
  utm_medium: propertyFilter('medium', SPELLING),
  tag: tagNames
    .optional()
    .describe(
      `Only links with all of these tags, separated by commas or in repeated parameters. ${SPELLING} If empty, only links without tags.`,
    ),
  domain: filterText.optional().describe('Only links on the domain record with this ID.'),
  link: filterText.optional().describe('Only the link with this name (ID).'),
  creator: propertyFilter(
    'creator',
    'Use the ID of the person, as in X-Created-By. The filter needs the scope shortlinks:update.',
  ),
})

/** A report's query with its first and last day filled in. An empty filter selects the links without such a value. */
export type ReportQuery = z.output<typeof reportQuery> & { from: string; to: string }

const text = z.string().max(1_000)

const group = z.object({
  name: text.describe(
    'The value that the links of the group share: a UTM value, a tag, or the ID of a domain record, link or person. Empty if the links have no such value.',
  ),
  label: text.describe('The name to show: a hostname, short URL or person’s name, or the value.'),
  title: text.optional().describe('The link’s title, if each group is a link.'),
  destination_host: text
    .optional()
    .describe('The host of its destination, if each group is a link.'),
  people: count.describe('Clicks by people in the range.'),
  previous_people: count.describe('Clicks by people in the previous period.'),
  days: z.array(count).max(MAX_CLICK_DAYS).describe('Clicks by people on each day of the range.'),
})

export function groupLabel({ label }: { label: string }, groupBy: ReportGroup): string {
  return label || `No ${GROUP_LABELS[groupBy].toLowerCase()}`
}

/**
 * The clicks by people in a range of UTC days, compared with the previous period. The previous period ends on the day
 * before the range. It has as many months if the range consists of whole calendar months, otherwise as many days. Each
 * click counts toward the campaign, tags and so on that its link has now. Deleted links are left out.
 */
export const report = z.object({
  from: z.iso.date().describe('The first day, in UTC.'),
  to: z.iso.date().describe('The last day.'),
  previous_from: z.iso.date().describe('The first day of the previous period.'),
  previous_to: z.iso.date().describe('The last day of the previous period.'),
  group_by: z.enum(REPORT_GROUPS),
  total_people: count.describe('Clicks by people in the range.'),
  previous_people: count.describe('Clicks by people in the previous period.'),
  days: z
    .array(z.object({ date: z.iso.date(), people: count }))
    .max(MAX_CLICK_DAYS)
    .describe('Every day of the range, oldest first.'),
  groups: z
    .array(group)
    .max(MAX_REPORT_GROUPS)
    .describe(
      'The groups with the most clicks in the range, most clicked first. A click on a link with several tags counts toward each of them.',
    ),
  has_more: z
    .boolean()
    .describe('Whether groups that are not listed have clicks in the range, or might have.'),
  unknown: z
    .array(
      z.object({
        filter: z.enum(NAMED_FILTERS),
        name: text,
        nearest: text.array().max(MAX_NEAREST),
      }),
    )
    .max(NAMED_FILTERS.length + MAX_TAGS)
    .optional()
    .describe(
      'The names in the query that no link has, each with the most similar existing names.',
    ),
  kept_since: keptSince.describe(
    'The first day whose clicks are still stored. Absent if the clicks of both periods are stored.',
  ),
})

export const reportEnvelope = success({ report })

export type Report = z.infer<typeof report>

/** Reads a period, such as `today` or `last 30 days`, in UTC. Weeks start on Monday, and no period ends after today. */
export function rangeOf(period: string, now: number): DayRange {
  const today = Temporal.PlainDate.from(dayOf(now))
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const month = today.with({ day: 1 })
  const year = month.with({ month: 1 })
  const yesterday = today.subtract({ days: 1 })
  const ranges: Record<string, [from: Temporal.PlainDate, to?: Temporal.PlainDate]> = {
    yesterday: [yesterday, yesterday],
    'this week': [monday],
    'last week': [monday.subtract({ days: 7 }), monday.subtract({ days: 1 })],
    'this month': [month],
    'last month': [month.subtract({ months: 1 }), month.subtract({ days: 1 })],
    'this year': [year],
    'last year': [year.subtract({ years: 1 }), year.subtract({ days: 1 })],
  }
  const days = Number(/\d+/.exec(period)?.[0] ?? 1)
  const [from, to = today] = ranges[period] ?? [today.subtract({ days: days - 1 })]
  return { from: from.toString(), to: to.toString() }
}
