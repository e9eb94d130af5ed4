import type { SimulatedWorkspace } from '../../src/simulator/simulated-workspace.ts'

/** How long a test waits, in milliseconds. */
const DEADLINE_MS = 20_000

export type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/**
 * Waits until a condition is truthy. It is checked again after every change of the workspace.
 *
 * @param viewerId whose view of the workspace the error shows
 * @param awaited what the test waits for; by default, the condition's code
 * @returns the condition's value
 * @throws after 20 s, with the refusals, modals and messages of the workspace
 */
export async function until<T>(
  workspace: SimulatedWorkspace,
  viewerId: string,
  condition: () => T,
  awaited: string = condition.toString(),
): Promise<Truthy<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Truthy<T>>()
  const check = (): void => {
    try {
      const value = condition()
      if (value) resolve(value as Truthy<T>)
    } catch (error) {
      reject(error)
    }
  }
  const { changes } = workspace.parts
  changes.on('change', check)
  const timer = setTimeout(() => {
    const { modals, refusals, messages, home } = workspace.state(viewerId)
    const state = JSON.stringify({ refusals, modals, messages, home }, undefined, 1)
    reject(new Error(`still false after ${DEADLINE_MS} ms: ${awaited}\n${state.slice(0, 6000)}`))
  }, DEADLINE_MS)
  check()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    changes.off('change', check)
  }
}
