import type { App } from '@slack/bolt'
import type { Deps } from '../../deps.ts'
import { appHomeOpened } from './app-home-opened.ts'

/** Nobody waits for an answer to an event: what fails is in the log, through the app's `error`. */
export function registerEvents(app: App, deps: Deps): void {
  const opened = appHomeOpened(deps)
  app.event('app_home_opened', (args) => deps.work.track(() => opened(args)))
}
