import type { Message, Modal } from '../../src/simulator/protocol.ts'

/** The blocks of a message or a modal as JSON, to look for words in; `[]` where there are none. */
export function texts(shown: Message | Modal | undefined): string {
  const { blocks } = (shown && 'view' in shown ? shown.view : shown) ?? {}
  return JSON.stringify(blocks ?? [])
}
