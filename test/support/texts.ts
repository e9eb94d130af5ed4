import type { Message, Modal } from '../../src/simulator/protocol.ts'

/** The blocks of a message or a modal as JSON, to search for texts; `[]` without blocks. */
export function texts(shown: Message | Modal | undefined): string {
  const { blocks } = (shown && 'view' in shown ? shown.view : shown) ?? {}
  return JSON.stringify(blocks ?? [])
}

/** A text without the request ID in it, which differs each time. */
export function withoutRequestId(text: string): string {
  return text.replaceAll(/ Request ID: [\da-f]{32}\./g, '')
}
