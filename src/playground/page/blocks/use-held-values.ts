import { useLayoutEffect, useReducer } from 'preact/hooks'
import type { SlackJson, ViewValues } from '../../../simulator/protocol.ts'
import type { HeldValues } from './held-values.ts'

/** The values of a view as they are while one fills it in. Nothing else is drawn again for them. */
export function useHeldValues(
  held: HeldValues,
  key: string,
  blocks: readonly SlackJson[],
): ViewValues {
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0)
  useLayoutEffect(() => held.watch(key, () => redraw(undefined)), [held, key])
  return held.of(key, blocks)
}
