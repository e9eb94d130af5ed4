import { MAX_CLICK_DAYS } from '../../contract/extension-calls.ts'
import { rangeOf } from '../../contract/report.ts'
import { dayOf, type DayRange, lengthOf } from '../../timing/days.ts'

const NAMED =
  /^(?:today|yesterday|tomorrow|(?:this|last|next) (?:week|month|year)|(?:last|next) \d+ days?)(?= |$)/

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NAME = String.raw`(?<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`
const YEAR = String.raw`(?:,? (?<year>\d{4}))?`
const END = String.raw`(?![\d/])(?= ?-| ?\.\.| |$)`

// A day, a month or a year: `2026-11-23`, `11/23`, `Nov 23, 2026`, `23 November`, `2026-11`, `Nov 2026`, `2026`.
const POINTS = [
  String.raw`(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d))?`,
  String.raw`(?<month>\d{1,2})\/(?<day>\d{1,2})(?:\/(?<year>\d{4}))?`,
  `${NAME} ${DAY}${YEAR}`,
  `${DAY} ${NAME}${YEAR}`,
  `${NAME}${YEAR}`,
  String.raw`(?<year>20\d\d)`,
].map((point) => new RegExp(`^${point}${END}`))

const LAST_DAY = new RegExp(`^${DAY}${YEAR}${END}`)

const BETWEEN = /^ ?(?:-|\.\.\.?| to ) ?/

interface Point {
  length: number
  year: number | undefined
  month: number | undefined
  day: number | undefined
}

/**
 * Reads the period at the start of a text in lower case, such as `last month`, `2026-11` or `Nov 1 – Nov 23`. Without a
 * year, the latest such period that has begun is meant. A period that has not ended is cut off after today.
 * @returns the length of the text of the period, its days, and what is wrong with it; undefined if there is no period
 */
export function readPeriod(text: string, now: number) {
  const [named] = NAMED.exec(text) ?? []
  const today = dayOf(now)
  const read = named ? { length: named.length, range: rangeOf(named, now) } : readRange(text, today)
  if (!read) return undefined
  const { length, range: { from, to } = { from: '', to: '' } } = read
  const range = { from, to: to < today ? to : today }
  return { length, range, problem: periodProblem({ from, to }, named, today) }
}

function periodProblem(range: DayRange, named: string | undefined, today: string) {
  if (range.from === '') return 'These are not days of the calendar.'
  const isFuture = named ? /^(?:next|tomorrow)/.test(named) : range.from > today
  if (isFuture) return 'This period hasn’t begun yet.'
  const days = lengthOf(range)
  if (days < 1 && !named) return 'This period ends before it begins.'
  return days < 1 || days > MAX_CLICK_DAYS
    ? `A report covers 1 to ${MAX_CLICK_DAYS} days.`
    : undefined
}

function readRange(text: string, today: string) {
  const typed = text.replaceAll(/[–—−]/g, '-')
  const start = typed.startsWith('from ') ? 5 : 0
  const first = readPoint(typed.slice(start))
  if (!first) return undefined
  const end = start + first.length
  const [separator] = BETWEEN.exec(typed.slice(end)) ?? []
  if (separator === undefined) return { length: end, range: toRange(first, first, today) }
  const rest = typed.slice(end + separator.length)
  const last = readPoint(rest) ?? (first.day && readPoint(rest, [LAST_DAY]))
  // `may-2027` and `2026-sale` are names of campaigns, not periods.
  const isSameKind = last && (last.day || Boolean(last.month) === Boolean(first.month))
  if (!isSameKind) return undefined
  const length = end + separator.length + last.length
  return { length, range: toRange(first, { ...last, month: last.month ?? first.month }, today) }
}

function readPoint(text: string, points = POINTS): Point | undefined {
  for (const point of points) {
    const match = point.exec(text)
    if (!match) continue
    const { name, ...numbers } = match.groups ?? {}
    const [year, month, day] = ['year', 'month', 'day'].map((part) =>
      numbers[part] === undefined ? undefined : Number(numbers[part]),
    )
    const namedMonth = name && MONTHS.indexOf(name.slice(0, 3)) + 1
    return { length: match[0].length, year, month: namedMonth || month, day }
  }
  return undefined
}

function toRange(first: Point, last: Point, today: string): DayRange | undefined {
  const rangeFrom = (year: number): DayRange | undefined => {
    const from = toDate(year, first.month ?? 1, first.day ?? 1)
    const month = last.month ?? 12
    const ends = (last.year ? [last.year] : [year, year + 1]).map((endYear) =>
      toDate(endYear, month, last.day ?? new Date(Date.UTC(endYear, month, 0)).getUTCDate()),
    )
    const to = ends.find((date) => date && from && date >= from) ?? ends[0]
    return from && to ? { from, to } : undefined
  }
  const latest = Number(today.slice(0, 4))
  if (first.year) return rangeFrom(first.year)
  const end = last.year
  // February 29 comes at least every eight years.
  const years = Array.from({ length: 9 }, (_, yearsAgo) => (end ?? latest) - yearsAgo)
  return years.map(rangeFrom).find((range) => range && range.from <= (end ? range.to : today))
}

function toDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? dayOf(date.getTime())
    : undefined
}
