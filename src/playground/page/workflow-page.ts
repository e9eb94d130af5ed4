import { h, type ComponentChildren } from 'preact'
import { html } from './html.ts'
import { icon } from './icons.ts'
import { PageHeader } from './page-header.ts'
import { StepForm } from './step-form.ts'
import { StepRuns } from './step-runs.ts'
import { useWorkspace } from './workspace.ts'

/** A stand-in for Workflow Builder: each of the app's steps, to be filled in and run by itself. */
export function WorkflowPage({
  openNavigation,
}: {
  openNavigation: () => void
}): ComponentChildren {
  const { state } = useWorkspace()
  const { name, steps } = state.app
  const about = `What ${name} adds to Workflow Builder. A workflow fills in a step and goes on with what comes out.`
  return html`<main class="page">
    ${h(PageHeader, { title: [icon('bolt'), 'Workflow'], about, openNavigation })}
    <div class="scroll">
      <div class="workflow">
        ${steps.map(
          (step) =>
            html`<section
              class="step"
              key=${`${state.viewer} ${step.callbackId}`}
              aria-label=${step.title}
            >
              ${h(StepForm, { step })} ${h(StepRuns, { step })}
            </section>`,
        )}
      </div>
    </div>
  </main>`
}
