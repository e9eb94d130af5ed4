import type { FastifyBaseLogger } from 'fastify'
import { outsideRequests } from './request-context.ts'

const LINES_PER_MINUTE = 5
const MAX_KINDS = 50

/** Limits the lines that strangers' requests can cause. After each minute, says how many of a kind were left out. */
export function createLogLimit(logger: Pick<FastifyBaseLogger, 'warn'>) {
  const counts = new Map<string, number>()

  function endMinute(): void {
    for (const [kind, count] of counts) {
      const leftOut = count - LINES_PER_MINUTE
      if (leftOut > 0) logger.warn({ kind, leftOut }, 'more lines of this kind were left out')
    }
    counts.clear()
  }

  return {
    write(kind: string, line: () => void): void {
      if (counts.size === 0) outsideRequests(() => setTimeout(endMinute, 60_000).unref())
      const key = counts.has(kind) || counts.size < MAX_KINDS ? kind : 'other'
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count <= LINES_PER_MINUTE) line()
    },
  }
}
