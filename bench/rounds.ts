import { setTimeout as sleep } from 'node:timers/promises'

/** The pause between rounds, in milliseconds. In it, the servers finish the last round's background work. */
const PAUSE_MS = 200

/** A figure of ours and the same figure of a baseline, measured in turn. */
export interface Comparison {
  figure: string
  baseline: string
  /** What the ratio should be: ours divided by the baseline's. With ≤ or ≥, it is the aim of our own figure. */
  aim: string
  /** One value for each round. `theirs` is empty without a baseline. */
  ours: number[]
  theirs: number[]
}

/** Measures ours and the baseline in turn, so that other work on this machine affects both. */
export async function takeTurns<T>(
  rounds: number,
  ours: () => Promise<T>,
  baseline: () => Promise<T>,
): Promise<{ ours: T[]; theirs: T[] }> {
  const measured: { ours: T[]; theirs: T[] } = { ours: [], theirs: [] }
  for (let round = 0; round < rounds; round++) {
    await sleep(PAUSE_MS)
    measured.ours.push(await ours())
    await sleep(PAUSE_MS)
    measured.theirs.push(await baseline())
  }
  return measured
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? NaN
}

/** As Markdown: the medians, and the median of the ratios with the lowest and the highest. */
export function formatComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ figure, baseline, aim, ours, theirs }) => {
    const ratios = theirs.map((value, round) => (ours[round] ?? NaN) / value)
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`
    const of = (values: number[]): string =>
      median(values).toLocaleString('en', { maximumSignificantDigits: 3 })
    if (ratios.length === 0) return [figure, of(ours), '', '', aim]
    const ratio = `${median(ratios).toFixed(2)} (${spread})`
    return [figure, of(ours), `${of(theirs)}, ${baseline}`, ratio, aim]
  })
  const table = [['', 'measured', 'baseline', 'ratio (spread)', 'aim'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  const lines = table.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  )
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`)
  return lines.join('\n')
}
