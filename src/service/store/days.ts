/** The first and the last of some days, `YYYY-MM-DD` in UTC. */
export interface DayRange {
  from: string
  to: string
}

const DAY_MS = 86_400_000

/** The day of a time in milliseconds since 1970. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The range of `days` days whose last day is `to`. */
export function daysUntil(to: string, days: number): DayRange {
  return { from: dayOf(Date.parse(to) - (days - 1) * DAY_MS), to }
}

/** How many days a range has. Less than 1: it ends before it begins. */
export function lengthOf({ from, to }: DayRange): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
}

/** Every day of a range, oldest first. */
export function daysOf(range: DayRange): string[] {
  const first = Date.parse(range.from)
  return Array.from({ length: lengthOf(range) }, (_, at) => dayOf(first + at * DAY_MS))
}
