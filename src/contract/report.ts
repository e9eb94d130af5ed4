import { z } from 'zod'

/** What a report can group clicks by, and filter them by. `maker` is only for keys that may change links. */
export const REPORT_GROUPS = [
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'tag',
  'domain',
  'link',
  'maker',
] as const

export type ReportGroup = (typeof REPORT_GROUPS)[number]

/** The groups with most clicks that a report names. */
export const MAX_REPORT_GROUPS = 100

/** The longest range of a report, in days. The period before is as long. */
export const MAX_REPORT_DAYS = 366

const count = z.int().min(0)

const group = z.object({
  name: z
    .string()
    .describe(
      'The value that the links share: a UTM value, a tag, or the ID of a domain record, link or person. Empty: none.',
    ),
  label: z
    .string()
    .describe('What people read: a hostname, a short URL, a person’s name, or else the value.'),
  title: z.string().optional().describe('The title of a link.'),
  people: count.describe('Clicks by people in the range.'),
  previous_people: count.describe('Clicks by people in the period before.'),
  days: z.array(count).max(MAX_REPORT_DAYS).describe('Clicks by people on each day of the range.'),
})

/** Clicks of a group of links in a range of UTC days. */
export type ReportGroupClicks = z.infer<typeof group>

/**
 * The clicks by people in a range of UTC days, and in the period of the same length before it. They count for the
 * campaign, the tags and so on that a link has now. Deleted links are left out.
 */
export const report = z.object({
  from: z.iso.date().describe('The first day, in UTC.'),
  to: z.iso.date().describe('The last day.'),
  previous_from: z.iso.date().describe('The first day of the period before.'),
  previous_to: z.iso.date().describe('The last day of the period before.'),
  group_by: z.enum(REPORT_GROUPS),
  total_people: count.describe('Clicks by people in the range.'),
  previous_people: count.describe('Clicks by people in the period before.'),
  days: z
    .array(z.object({ date: z.iso.date(), people: count }))
    .max(MAX_REPORT_DAYS)
    .describe('Every day of the range, oldest first.'),
  groups: z
    .array(group)
    .max(MAX_REPORT_GROUPS)
    .describe(
      'The groups with most clicks in the range, most first. A link with several tags counts for each of them.',
    ),
  has_more: z
    .boolean()
    .describe('Whether other groups have, or may have, clicks in the range, too.'),
})

export type Report = z.infer<typeof report>
