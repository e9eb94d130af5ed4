import { h, type ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { StepDefinition, StepParameter } from '../../simulator/protocol.ts'
import { avatar } from './author.ts'
import { draftOf, useDraft } from './drafts.ts'
import { html } from './html.ts'
import { useWorkspace } from './workspace.ts'

/** A step's inputs, as Workflow Builder asks for them. What is filled in stays for the next run. */
export function StepForm({ step }: { step: StepDefinition }): ComponentChildren {
  const { state, perform } = useWorkspace()
  const { callbackId, title, description, inputs } = step
  const place = (name: string): string => `${state.viewer} step ${callbackId} ${name}`
  const running = state.stepRuns.some((run) => run.callbackId === callbackId && !run.outcome)

  const run = (event: Event): void => {
    event.preventDefault()
    if (running) return
    const filled: Record<string, string> = {}
    for (const { name } of inputs) {
      const value = draftOf(place(name))
      if (value !== '') filled[name] = value
    }
    perform({ type: 'run_step', callbackId, inputs: filled })
  }
  const input = (parameter: StepParameter): ComponentChildren =>
    h(Input, { key: parameter.name, parameter, place: place(parameter.name) })

  return html`<form class="step-form" onSubmit=${run}>
    <header class="step-head">
      ${avatar(state, { kind: 'app' })}
      <div>
        <h3>${title}</h3>
        <p class="muted">${description}</p>
      </div>
    </header>
    ${inputs.filter(({ required }) => required).map(input)}
    <div class="step-optional">${inputs.filter(({ required }) => !required).map(input)}</div>
    <button type="submit" class="button primary" aria-disabled=${running} aria-busy=${running}>
      ${running ? 'Running…' : 'Run step'}
    </button>
  </form>`
}

function Input({
  parameter: { title, name, description, hint, required },
  place,
}: {
  parameter: StepParameter
  place: string
}): ComponentChildren {
  const [value, keep] = useDraft(place)
  const id = useId()
  const about = hint || description
  return html`<div class="input-block">
    <label for=${id}>
      ${title || name} ${!required && html`<span class="optional">optional</span>`}
    </label>
    <input
      id=${id}
      class="text-input"
      value=${value}
      autocomplete="off"
      required=${required}
      aria-describedby=${about ? `${id}-hint` : undefined}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        keep(currentTarget.value)}
    />
    ${about && html`<p class="input-hint" id=${`${id}-hint`}>${about}</p>`}
  </div>`
}
