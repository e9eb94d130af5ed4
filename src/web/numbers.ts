export function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1 link`, `12,345 links`. @param noun in the singular, with a plural in -s */
export function formatCount(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${formatNumber(count)} ${noun}s`
}
