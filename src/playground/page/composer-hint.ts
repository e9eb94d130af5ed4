import type { ComponentChildren } from 'preact'
import { html } from './html.ts'
import { useWorkspace } from './workspace.ts'

/**
 * For whoever is here for the first time: what to try, until the app has said something.
 *
 * @param hidden keeps its room, so that the messages above do not jump when one begins to type
 */
export function Hint({
  begin,
  hidden,
}: {
  begin: (text: string) => void
  hidden: boolean
}): ComponentChildren {
  const { state } = useWorkspace()
  const command = state.app.commands[0]?.command
  const said = Object.values(state.messages)
    .flat()
    .some(({ author }) => author.kind === 'app')
  if (command === undefined || said) return undefined
  const example = `${command} https://example.com/some/long/page`
  return html`<p class="hint" data-hidden=${hidden}>
    Try
    <button type="button" class="hint-example" onClick=${() => begin(example)}>${example}</button>
  </p>`
}
