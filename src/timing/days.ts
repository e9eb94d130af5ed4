export const DAY_MS = 86_400_000

export interface DayRange {
  from: string
  to: string
}

/** Returns the day of a time in UTC, such as `2026-11-28`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS)
}

export function daysUntil(to: string, days: number): DayRange {
  return { from: addDays(to, 1 - days), to }
}

/** Returns the period before a range: as many days, or as many months if the range consists of calendar months. */
export function periodBefore({ from, to }: DayRange): DayRange {
  const last = addDays(from, -1)
  if (!from.endsWith('-01') || !addDays(to, 1).endsWith('-01')) {
    return daysUntil(last, lengthOf({ from, to }))
  }
  const first = Temporal.PlainDate.from(from)
  const { months } = first.until(addDays(to, 1), { largestUnit: 'months' })
  return { from: first.subtract({ months }).toString(), to: last }
}

export function lengthOf({ from, to }: DayRange): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
}

export function daysOf(range: DayRange): string[] {
  return Array.from({ length: lengthOf(range) }, (_, index) => addDays(range.from, index))
}
