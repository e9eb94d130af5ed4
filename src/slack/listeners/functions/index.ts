import type { App } from '@slack/bolt'
import type { Deps } from '../../deps.ts'
import { WORKFLOW_STEP } from '../../ids.ts'
import { shortenStep } from './shorten-step.ts'

/** Steps of workflows: Bolt acknowledges them before they run, however long they take. */
export function registerFunctions(app: App, deps: Deps): void {
  const shorten = shortenStep(deps)
  app.function(WORKFLOW_STEP, (args) => deps.work.track(() => shorten(args)))
}
