/** The length of a day, in milliseconds. */
export const DAY_MS = 86_400_000

/** The first and the last of some days, `YYYY-MM-DD` in UTC. */
export interface DayRange {
  from: string
  to: string
}

/** The UTC day of a time, such as `2026-11-23`. @param time milliseconds since 1970 */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The day that is so many days after a day, or before it if the number is negative. */
export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS)
}

/** The range of `days` days whose last day is `to`. */
export function daysUntil(to: string, days: number): DayRange {
  return { from: addDays(to, 1 - days), to }
}

/** The period before a range: as many days, or as many months if the range is whole calendar months. */
export function periodBefore({ from, to }: DayRange): DayRange {
  const last = addDays(from, -1)
  if (!from.endsWith('-01') || !addDays(to, 1).endsWith('-01')) {
    return daysUntil(last, lengthOf({ from, to }))
  }
  const months = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  const first = new Date(from)
  first.setUTCMonth(first.getUTCMonth() - (months(to) - months(from) + 1))
  return { from: dayOf(first.getTime()), to: last }
}

/** How many days a range has. Less than 1: it ends before it begins. */
export function lengthOf({ from, to }: DayRange): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
}

/** Every day of a range, oldest first. */
export function daysOf(range: DayRange): string[] {
  return Array.from({ length: lengthOf(range) }, (_, at) => addDays(range.from, at))
}
