import { h, type ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { StepDefinition, StepParameter, StepRun } from '../../simulator/protocol.ts'
import { string } from '../../simulator/shared/slack-json.ts'
import { html, icon } from './html.ts'
import { link, Mrkdwn } from './mrkdwn/render.ts'
import { safeLink } from './safe-url.ts'
import { useWorkspace } from './workspace.ts'

/** The runs of a step with their outputs, newest first. */
export function StepRuns({ step }: { step: StepDefinition }): ComponentChildren {
  const { state } = useWorkspace()
  const runs = state.stepRuns.filter(({ callbackId }) => callbackId === step.callbackId)
  const newest = runs.at(-1)
  const news = newest && `${newest.id} ${newest.outcome ? 'ended' : 'begun'}`
  const list = useRef<HTMLDivElement>(null)
  const shown = useRef(news)
  useEffect(() => {
    // The form is tall, and the result below it would be out of view.
    if (shown.current !== news)
      list.current?.firstElementChild?.scrollIntoView({ block: 'nearest' })
    shown.current = news
  }, [news])
  return html`<div ref=${list} class="step-runs" role="log" aria-label="Runs">
    ${
      runs.length === 0
        ? html`<p class="muted">No runs yet. The outputs of each run appear here.</p>`
        : runs.toReversed().map((run) => h(Run, { key: run.id, run, outputs: step.outputs }))
    }
  </div>`
}

function Run({ run, outputs }: { run: StepRun; outputs: StepParameter[] }): ComponentChildren {
  const { outcome } = run
  if (!outcome) return html`<div class="step-run"><p class="muted">Running…</p></div>`
  if (!outcome.ok) {
    return html`<div class="step-run" data-failed="true">
      <p class="step-run-head">${icon('warning')} The step failed, and the workflow stopped</p>
      ${h(Mrkdwn, { text: outcome.error })}
    </div>`
  }
  return html`<div class="step-run">
    <p class="step-run-head">${icon('check')} Completed</p>
    <dl>
      ${outputs
        .filter(({ name }) => outcome.outputs[name] !== undefined)
        .map(
          ({ name, title }) =>
            html`<div key=${name}>
              <dt>${title || name}</dt>
              <dd>${h(Output, { title: title || name, value: outcome.outputs[name] })}</dd>
            </div>`,
        )}
    </dl>
  </div>`
}

/** An output: a link, an uploaded image, or any other value. */
function Output({ title, value }: { title: string; value: unknown }): ComponentChildren {
  const { state } = useWorkspace()
  const text = string(value) || JSON.stringify(value)
  const href = safeLink(value)
  const file = state.files[text]
  if (href !== undefined) return link(href, text)
  if (file?.mimetype.startsWith('image/')) {
    return [
      html`<code>${text}</code>`,
      html`<img src=${file.url} alt=${`${title}: ${file.name}`} />`,
    ]
  }
  return text
}
