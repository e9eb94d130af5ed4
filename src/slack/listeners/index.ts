import type { App } from '@slack/bolt'
import type { Deps } from '../deps.ts'
import { registerActions } from './actions/index.ts'
import { registerCommands } from './commands/index.ts'
import { registerEvents } from './events/index.ts'
import { registerFunctions } from './functions/index.ts'
import { registerShortcuts } from './shortcuts/index.ts'
import { registerViews } from './views/index.ts'

/** Registers a listener for everything that manifest.yml lets Slack send. */
export function registerListeners(app: App, deps: Deps): void {
  registerCommands(app, deps)
  registerShortcuts(app, deps)
  registerActions(app, deps)
  registerViews(app, deps)
  registerEvents(app, deps)
  registerFunctions(app, deps)
}
