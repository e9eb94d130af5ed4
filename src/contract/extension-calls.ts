import { z } from 'zod'
import { LINK_FIELD_NAMES, UTM_PARAMETERS, without } from './link-fields.ts'
import { LISTED_FIELDS, OUR_LISTED_FIELDS, returnedShape, shortlink } from './shortlink.ts'

/* What our link service has beyond the specification: its responses, and the form that signs a person in. */

/** A new shortlink, or the existing one of a 409. `enabled` is present only if the link is turned off. */
const createdShortlink = shortlink.extend(returnedShape(OUR_LISTED_FIELDS))

export type CreatedShortlink = z.infer<typeof createdShortlink>

export const count = z.int().min(0)

export const DESTINATION_STATUSES = ['dead', 'unclear'] as const

export type DestinationStatus = (typeof DESTINATION_STATUSES)[number]

/** A shortlink with its clicks, times and creator. It has UTM parameters only if they are added to the destination. */
export const listedShortlink = createdShortlink.required({ enabled: true }).extend({
  ...returnedShape(UTM_PARAMETERS),
  created_at: z.iso.datetime().describe('In UTC.'),
  updated_at: z.iso.datetime().describe('In UTC.'),
  clicks: count.describe('How many times people have opened the short URL. Bots are not counted.'),
  created_by: z
    .object({ id: z.string(), name: z.string() })
    .optional()
    .describe('The person who created the shortlink, as named in the header X-Created-By.'),
  destination_status: z
    .enum(DESTINATION_STATUSES)
    .optional()
    .describe(
      '`dead`: the destination has failed on three days in a row. `unclear`: the last check could not tell whether the destination works. Absent if the destination works, has failed on fewer days, or has not been checked.',
    ),
  created_with: z
    .string()
    .optional()
    .describe('The name of the API key that created the shortlink.'),
})

export type ListedShortlink = z.infer<typeof listedShortlink>

export const DETAIL_FIELDS = without(LINK_FIELD_NAMES, LISTED_FIELDS)

/** A shortlink with every field that a change can set. It has its UTM parameters even if they are turned off. */
const detailedShortlink = listedShortlink
  .extend(returnedShape(DETAIL_FIELDS))
  .required({ back_half: true, utm_analytics_enabled: true })

export type DetailedShortlink = z.infer<typeof detailedShortlink>

const DAY_RULE = 'Use a date from 1970 on, such as 2027-03-01.'

export const utcDay = z.iso.date(DAY_RULE).refine((date) => date >= '1970', DAY_RULE)

export const MAX_CLICK_DAYS = 366
export const MAX_REFERRERS = 10

export const keptSince = z.iso.date().optional()

const linkClicks = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  total_people: count.describe('Clicks by people in the range.'),
  total_bots: count.describe('Clicks by bots in the range.'),
  all_time_people: count.describe('Clicks by people on all days, not only in the range.'),
  days: z.array(z.object({ date: z.iso.date(), people: count, bots: count })).max(MAX_CLICK_DAYS),
  referrers: z.array(z.object({ host: z.string(), people: count })).max(MAX_REFERRERS),
  kept_since: keptSince.describe(
    'The first day whose clicks are still stored. Absent if the clicks of the whole range are stored.',
  ),
})

export type LinkClicks = z.infer<typeof linkClicks>

const domainRecord = z.object({
  name: z.string().min(1).describe('The name (ID) of the domain record, to send as `domain`.'),
  domain_name: z.string().refine(isHost).describe('The hostname of its short URLs.'),
})

export type DomainRecord = z.infer<typeof domainRecord>

function isHost(text: string): boolean {
  return /^[^\s/?#@\\]+$/.test(text) && URL.canParse(`https://${text}`)
}

export const pagination = z.object({
  page: z.int(),
  per_page: z.int(),
  total_items: z.int(),
  total_pages: z.int(),
})

/** A person's roles in the dashboard. Each has more permissions than the one before, and the API key limits them. */
export const DASHBOARD_ROLES = ['creator', 'editor', 'admin'] as const

export type DashboardRole = (typeof DASHBOARD_ROLES)[number]

export const MAX_WORKSPACE_LENGTH = 200

// Slack rejects a button with a longer URL.
const MAX_SIGN_IN_URL_LENGTH = 3_000

const WORKSPACE_RULE = `Use one line of at most ${MAX_WORKSPACE_LENGTH} characters.`

export const signInRequest = z.object({
  role: z
    .enum(DASHBOARD_ROLES, 'Use creator, editor or admin.')
    .describe('What the person can do.'),
  workspace: z
    .string(WORKSPACE_RULE)
    .trim()
    .min(1, WORKSPACE_RULE)
    .max(MAX_WORKSPACE_LENGTH, WORKSPACE_RULE)
    .refine((name) => !/\p{Cc}/u.test(name), WORKSPACE_RULE)
    .describe('The name of the workspace, which the sign-in page shows.'),
  allowed_hosts: z
    .string()
    .describe(
      'Hostnames, separated by commas. Links that the person creates can lead only to these hosts and their subdomains. If it is omitted, they can lead to any host.',
    )
    .optional(),
})

export type SignInRequest = z.infer<typeof signInRequest>

export const MAX_LISTED_TAGS = 100

const usedTag = z.object({
  name: z.string().max(200),
  links: count.describe('How many shortlinks have this tag.'),
})

export type UsedTag = z.infer<typeof usedTag>

export const createdEnvelope = success({ shortlink: createdShortlink })

export const linkEnvelope = success({ shortlink: detailedShortlink })
export const doneEnvelope = success({})
export const clicksEnvelope = success({ clicks: linkClicks })
export const domainsEnvelope = success({ domains: z.array(domainRecord), pagination })
export const tagsEnvelope = success({ tags: z.array(usedTag).max(MAX_LISTED_TAGS) })
export const signInEnvelope = success({
  url: z
    .url()
    .max(MAX_SIGN_IN_URL_LENGTH)
    .describe(
      'The one-time link, which is a secret: anyone who opens it can sign in as the person.',
    ),
  expires_at: z.iso.datetime().describe('When the link stops working, in UTC.'),
})

export function success<Members extends z.core.$ZodLooseShape>(members: Members) {
  return z.object({
    data: z.object({ status: z.literal('success'), message: z.string(), ...members }),
  })
}
