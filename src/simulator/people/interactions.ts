import type { Ack } from '../app/app-connection.ts'
import type { Parts } from '../parts.ts'
import type { ActionResult, SlackJson } from '../protocol.ts'
import { APP, PEOPLE, TEAM } from '../workspace/seeds.ts'

/** What a modal shows if the app does not answer properly. */
export const MODAL_TROUBLE = 'We had some trouble connecting. Try again?'

/** Sends the app what a person did, with the fields that all interactions share. */
export function sendInteraction(
  { app }: Parts,
  viewerId: string,
  payload: SlackJson & { type: string },
): Promise<Ack> {
  const name = PEOPLE.find(({ id }) => id === viewerId)?.name ?? ''
  return app.sendInteraction({
    team: { id: TEAM.id, domain: TEAM.domain },
    user: { id: viewerId, username: name, name, team_id: TEAM.id },
    api_app_id: APP.id,
    token: app.verificationToken,
    enterprise: null,
    is_enterprise_install: false,
    ...payload,
  })
}

/** What Slack shows after a button, a menu or a shortcut: nothing, or that the app did not answer. */
export function interactionResult({ manifest }: Parts, ack: Ack): ActionResult {
  const { name } = manifest.display_information
  switch (ack.kind) {
    case 'answered':
      return { ok: true }
    case 'timeout':
      return { ok: false, message: `${name} did not respond.` }
    case 'failed':
      return { ok: false, message: `${name} responded with the status code ${ack.status}.` }
    case 'unreachable':
      return { ok: false, message: `${name} could not be reached.` }
  }
}
