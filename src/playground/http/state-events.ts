import type { SimulatedWorkspace } from '../../simulator/simulated-workspace.ts'

/**
 * Server-sent events: the whole state at once, and again after every change. Changes that come
 * faster than the reader reads are told together.
 */
export async function* stateEvents(
  workspace: SimulatedWorkspace,
  viewerId: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let change = Promise.withResolvers<undefined>()
  const wake = (): void => change.resolve(undefined)
  const stopListening = workspace.onChange(wake)
  signal.addEventListener('abort', wake)
  try {
    while (!signal.aborted) {
      change = Promise.withResolvers()
      yield `data: ${JSON.stringify(workspace.state(viewerId))}\n\n`
      await change.promise
    }
  } finally {
    stopListening()
    signal.removeEventListener('abort', wake)
  }
}
