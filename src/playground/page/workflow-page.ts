import { h } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { FunctionDefinition, StepRun } from '../../simulator/protocol.ts'
import { string } from '../../simulator/shared/slack-json.ts'
import { avatar, useWorkspace } from './workspace.ts'
import { inputLabel } from './blocks/element.ts'
import { html, icon } from './html.ts'
import { Mrkdwn } from './mrkdwn/render.ts'
import { PageHeader } from './pages.ts'

/** Stands in for Slack's Workflow Builder. */
export function WorkflowPage() {
  const { state } = useWorkspace()
  const { name, manifest } = state.app
  const about = `The steps that ${name} adds to Workflow Builder. Fill in a step and run it.`
  return html`<main class="page">
    ${h(PageHeader, { title: [icon('bolt'), 'Workflow'], about })}
    <div class="scroll">
      <div class="column">
        ${Object.entries(manifest.functions).map(
          ([id, step]) =>
            html`<section class="step" key=${`${state.viewer} ${id}`} aria-label=${step.title}>
              ${h(StepForm, { id, step })} ${h(StepRuns, { id, step })}
            </section>`,
        )}
      </div>
    </div>
  </main>`
}

interface StepProps {
  id: string
  step: FunctionDefinition
}

function StepForm({ id: callbackId, step }: StepProps) {
  const { state, perform } = useWorkspace()
  const { title, description, input_parameters: inputs } = step
  const running = state.stepRuns.some((run) => run.callbackId === callbackId && !run.outcome)

  const run = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault()
    if (running) return
    const values = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
    perform({ type: 'run_step', callbackId, inputs: Object.fromEntries(values) })
  }
  const fields = (required: boolean) =>
    Object.entries(inputs.properties)
      .filter(([name]) => inputs.required.includes(name) === required)
      .map(([name, parameter]) => h(Input, { key: name, name, parameter, required }))

  return html`<form class="step-form" onSubmit=${run}>
    <header class="row">
      ${avatar(state, { kind: 'app' })}
      <div>
        <h2>${title}</h2>
        <p class="muted">${description}</p>
      </div>
    </header>
    ${fields(true)}
    <div class="step-optional">${fields(false)}</div>
    <button type="submit" class="button primary" aria-disabled=${running} aria-busy=${running}>
      ${running ? 'Running…' : 'Run step'}
    </button>
  </form>`
}

interface InputProps {
  name: string
  parameter: FunctionDefinition['input_parameters']['properties'][string]
  required: boolean
}

function Input({ name, parameter: { title, description, hint }, required }: InputProps) {
  const id = useId()
  const about = hint || description
  return html`<div class="input-block">
    <label for=${id}>${inputLabel(title || name, required)}</label>
    <input
      id=${id}
      name=${name}
      class="text-input"
      autocomplete="off"
      required=${required}
      aria-describedby=${about ? `${id}-hint` : undefined}
    />
    ${about && html`<p class="muted" id=${`${id}-hint`}>${about}</p>`}
  </div>`
}

function StepRuns({ id, step }: StepProps) {
  const { state } = useWorkspace()
  const runs = state.stepRuns.filter(({ callbackId }) => callbackId === id)
  const newest = runs.at(-1)
  const newestState = newest && `${newest.id} ${newest.outcome ? 'ended' : 'begun'}`
  const list = useRef<HTMLDivElement>(null)
  const earlierState = useRef(newestState)
  useEffect(() => {
    // The form is tall, and the result below it would be out of view.
    if (earlierState.current !== newestState) {
      list.current?.firstElementChild?.scrollIntoView({ block: 'nearest' })
    }
    earlierState.current = newestState
  }, [newestState])
  return html`<div ref=${list} class="step-runs" role="log" aria-label="Runs">
    ${
      runs.length === 0
        ? html`<p class="muted">No runs yet. The outputs of each run appear here.</p>`
        : runs.toReversed().map((run) => h(Run, { key: run.id, run, step }))
    }
  </div>`
}

function Run({ run: { outcome }, step }: { run: StepRun; step: FunctionDefinition }) {
  if (!outcome) return html`<div class="step-run"><p class="muted">Running…</p></div>`
  if (!outcome.ok) {
    return html`<div class="step-run" data-failed="true">
      <strong class="row">${icon('warning')} The step failed, and the workflow stopped</strong>
      ${h(Mrkdwn, { text: outcome.error })}
    </div>`
  }
  return html`<div class="step-run">
    <strong class="row">${icon('check')} Completed</strong>
    <dl>
      ${Object.entries(step.output_parameters.properties)
        .filter(([name]) => outcome.outputs[name] !== undefined)
        .map(
          ([name, { title }]) =>
            html`<div key=${name}>
              <dt class="muted">${title || name}</dt>
              <dd>${h(Mrkdwn, { text: string(outcome.outputs[name]) })}</dd>
            </div>`,
        )}
    </dl>
  </div>`
}
