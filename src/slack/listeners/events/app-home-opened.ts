import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import { home } from '../../blocks/home.ts'
import { callerOf } from '../../caller.ts'
import type { Deps } from '../../deps.ts'
import { NotConnectedError } from '../../not-connected-error.ts'

/** Draws the Home tab for whoever opens it. */
export const appHomeOpened =
  ({ links }: Deps) =>
  async ({
    event,
    client,
    context,
    body,
  }: SlackEventMiddlewareArgs<'app_home_opened'> & AllMiddlewareArgs): Promise<void> => {
    if (event.tab !== 'home') return
    const { workspace } = callerOf(context, client, body)
    const connection = await links.connection(workspace).catch((error: unknown) => {
      if (error instanceof NotConnectedError) return undefined
      throw error
    })
    // The deployment's own configuration names the domain record, and not its hostname.
    const known = connection?.source === 'configured' ? undefined : connection?.domains[0]
    const view = home(connection !== undefined, known?.domain_name)
    await client.views.publish({ user_id: event.user, view })
  }
