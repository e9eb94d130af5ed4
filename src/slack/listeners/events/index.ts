import type { App } from '@slack/bolt'
import type { Deps } from '../../deps.ts'
import { EVENTS } from '../../ids.ts'
import { appHomeOpened } from './app-home-opened.ts'
import { appRemoved } from './app-removed.ts'
import { linkShared } from './link-shared.ts'

/** Nobody waits for an answer to an event: what fails is in the log, through the app's `error`. */
export function registerEvents(app: App, deps: Deps): void {
  const opened = appHomeOpened(deps)
  app.event(EVENTS.homeOpened, (args) => deps.work.track(() => opened(args)))
  const removed = appRemoved(deps)
  app.event(EVENTS.uninstalled, (args) => deps.work.track(() => removed(args)))
  app.event(EVENTS.tokensRevoked, (args) => deps.work.track(() => removed(args)))
  const shared = linkShared(deps)
  app.event(EVENTS.linkShared, (args) => deps.work.track(() => shared(args)))
}
