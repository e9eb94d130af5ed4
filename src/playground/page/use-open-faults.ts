import { useState } from 'preact/hooks'

/**
 * The faults of a form that nobody has done anything about yet.
 *
 * @param found by block_id
 * @param round changes whenever the form was judged: what is wrong then is told again
 */
export function useOpenFaults(
  found: Record<string, string>,
  round: string,
): { faults: Record<string, string>; settle: (blockId: string) => void } {
  const [settled, setSettled] = useState({ round, blocks: [] as string[] })
  const blocks = settled.round === round ? settled.blocks : []
  return {
    faults: Object.fromEntries(Object.entries(found).filter(([id]) => !blocks.includes(id))),
    settle: (blockId) => setSettled({ round, blocks: [...blocks, blockId] }),
  }
}
