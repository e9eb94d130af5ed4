/** A figure that a command found. */
export interface Figure {
  name: string
  value: number
  /** The highest value that is acceptable; undefined if any value is. */
  allowed?: number
}

export type Report = Figure[]

/** A table with a line for each figure. */
export function formatReport(report: Report): string {
  const width = Math.max(...report.map(({ name }) => name.length))
  const lines = report.map(({ name, value, allowed = Infinity }) => {
    const verdict = value > allowed ? `  too many: at most ${allowed.toLocaleString('en')}` : ''
    return `${name.padEnd(width)}  ${value.toLocaleString('en').padStart(10)}${verdict}\n`
  })
  return `\n${lines.join('')}\n`
}
