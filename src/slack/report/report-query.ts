import type { z } from 'zod'
import { rangeOf, GROUP_LABELS, reportQuery, type ReportQuery } from '../../contract/report.ts'
import { parseTags, tagsError } from '../../contract/tags.ts'
import { COMMAND } from '../ids.ts'
import { closestWord, splitWords } from '../platform/commands.ts'
import { cutValue, SlackInputError } from '../platform/field-errors.ts'
import { readPeriod } from './report-period.ts'

const FILTERS = ['utm_campaign', 'utm_source', 'utm_medium', 'tag'] as const

const FILTER_NAMES = FILTERS.map((filter) => GROUP_LABELS[filter].toLowerCase())

// `source:newsletter`, also written as `utm_source=newsletter`. The short form of `tag:print` is `#print`.
const FILTER = /^(?:utm_)?([a-z_]+?)s?[:=](.*)$/i

const usage = (): string =>
  `Type a campaign, or source:, medium: or tag: directly followed by a name. You can add a period: today, yesterday, this or last week, month or year, last 30 days, or dates such as 2026-11, Nov 1 – Nov 23, 11/01 - 11/23 or 2026-11-01 – 2026-11-23. Put names with spaces in quotes. For example: ${COMMAND} report "spring sale" last month, or ${COMMAND} report tag:print. For a single link, use ${COMMAND} clicks.`

// A query of this many characters fits into the value of a button.
const MAX_TEXT_LENGTH = 800

/** Parses `[campaign] [source:…] [medium:…] [tag:…] [period]`, in any order. */
export function parseReportText(text: string, now: number): ReportQuery {
  if (text.length > MAX_TEXT_LENGTH) fail('This is too long.')
  const names = new Map<string, string>()
  let range = rangeOf('this month', now)
  const words = splitWords(text.replaceAll(/[\s\p{Cc}]+/gu, ' '))
  while (words[0]) {
    // A period can have several words. A quoted word is never part of it, and a quote matches no period.
    const rest = words.map(({ word, isQuoted }) => (isQuoted ? '"' : word.toLowerCase())).join(' ')
    const period = readPeriod(rest, now)
    const periodText = period && rest.slice(0, period.length)
    if (period?.problem) fail(`“${cutValue(periodText ?? '')}”: ${period.problem}`)
    if (period) range = period.range
    const [name, value] = periodText ? ['period', periodText] : readFilter(words[0])
    const earlier = names.get(name) ?? value
    if (name === 'tag') names.set(name, `${names.get(name) ?? ''},${value}`)
    else if (earlier === value) names.set(name, value)
    else
      fail(`“${cutValue(earlier)}” and “${cutValue(value)}” can’t both be the ${name} of a report.`)
    words.splice(0, periodText?.split(' ').length ?? 1)
  }
  return { ...toQuery(Object.fromEntries(names)), ...range }
}

type ReportNames = {
  [Name in 'campaign' | 'source' | 'medium' | 'tag']?: string | undefined
}

export function toReportQuery(names: ReportNames, period: string, now: number): ReportQuery {
  const text =
    period
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toLowerCase() || 'this month'
  const read = readPeriod(text, now)
  if (read?.length !== text.length)
    fail(`Backhalf doesn’t understand the period “${cutValue(text)}”.`)
  if (read.problem) fail(`“${cutValue(text)}”: ${read.problem}`)
  return { ...toQuery(names), ...read.range }
}

function toQuery({ campaign, source, medium, tag }: ReportNames): z.output<typeof reportQuery> {
  const tagProblem = tagsError(tag ?? '')
  if (tagProblem) fail(tagProblem)
  return reportQuery.parse({
    utm_campaign: campaign,
    utm_source: source,
    utm_medium: medium,
    tag: tag && parseTags(tag).join(),
  })
}

function readFilter({ word, isQuoted }: { word: string; isQuoted: boolean }): [string, string] {
  const [, typed = 'campaign', value = word] =
    (!isQuoted && FILTER.exec(word.replace(/^#/, 'tag:'))) || []
  if (!isQuoted && /^[\d./–—-]+$/.test(word) && /\D/.test(word)) {
    fail(`Backhalf doesn’t understand the date “${cutValue(word)}”.`)
  }
  const name = FILTER_NAMES.find((known) => known === typed.toLowerCase())
  const isEmpty = name === 'tag' ? parseTags(value).length === 0 : value === ''
  if (name && !isEmpty && (isQuoted || !/^(?:this|last|next)$/i.test(word))) return [name, value]
  const similar = name ? undefined : closestWord(typed, FILTER_NAMES)
  const question = similar ? ` Did you mean ${similar}:?` : ''
  fail(`Backhalf doesn’t understand “${cutValue(word)}”.${question}`)
}

function fail(problem: string): never {
  throw new SlackInputError(`${problem} ${usage()}`)
}

export function encodeQuery(query: ReportQuery): string {
  return JSON.stringify(reportQuery.encode(query))
}

export function decodeQuery(value: string): ReportQuery {
  return reportQuery.required({ from: true, to: true }).parse(JSON.parse(value))
}

/** `campaign “spring-sale”, tag “print”`, or `all links`. */
export function aboutText(query: ReportQuery): string {
  const parts = FILTERS.flatMap((filter, index) =>
    [query[filter] ?? []].flat().map((value) => `${FILTER_NAMES[index]} “${cutValue(value)}”`),
  )
  return parts.join(', ') || 'all links'
}
