/** `12,345` */
export function grouped(number: number): string {
  return number.toLocaleString('en-US')
}

/** `1 link`, `12,345 links`. @param number a whole one, not negative */
export function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${grouped(number)} ${thing}s`
}
