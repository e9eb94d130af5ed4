import type { ModalView } from '@slack/types'
import type { SignInAddress } from '../../port/link-service.ts'
import { failureOf, type LinkServiceError } from '../../port/failures.ts'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import { isLoopbackHostname } from '../../http/public-hostname.ts'
import { formatCount } from '../../web/numbers.ts'
import { actions, button, context, section } from '../block-kit/elements.ts'
import { bold } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { ACTIONS, COMMAND, EVENTS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { Caller } from '../platform/caller.ts'
import { GuestError, SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'
import { rankIn } from '../platform/slack-users.ts'

const NOT_HTTPS =
  'The dashboard’s address isn’t https, so others in your network could sign in as you. Ask the person who runs the link service to set up https.'

const TITLE = 'Backhalf dashboard'

export function registerDashboard(listeners: Listeners, platform: LinkPlatform): void {
  const open = ({ caller, triggerId }: Pick<ActionRequest, 'caller' | 'triggerId'>) =>
    platform.views.openThenBuild(caller, { triggerId, title: TITLE }, async (show) =>
      show(await signIn(platform, caller)),
    )

  listeners.command('dashboard', open)
  listeners.action(ACTIONS.openDashboard, open)
  listeners.action(ACTIONS.dashboardLink, async () => undefined)

  // Slack also sends this for new names and statuses, and doesn't say what was different before.
  listeners.event(EVENTS.userChanged, async ({ workspace }, { event: { user } }) => {
    const rank = rankIn(user, workspace.id)
    if (rank === 'admin') return
    const role = rank === 'member' ? 'admin' : undefined
    const signOut = await platform.linkService.signOut(workspace, { userId: user.id, role })
    await signOut()
  })
}

async function signIn(platform: LinkPlatform, caller: Caller): Promise<ModalView> {
  const { clock, linkService } = platform
  const role = await readRole(platform, caller)
  const { signIn: isOffered } = await linkService.certain(caller.workspace, 'has a dashboard')
  if (!isOffered) {
    throw new SlackInputError(
      `This workspace’s link service doesn’t let you sign in to a dashboard from Slack. Ask the person who runs it how to see your links in the browser, or use ${COMMAND} list.`,
    )
  }
  const address = await askForAddress(platform, caller, role).catch(explainRefusal)
  const { protocol, hostname } = new URL(address.url)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHostname(hostname))) {
    throw new SlackInputError(NOT_HTTPS)
  }
  // If the role has just changed, its sessions were ended, but this address might be newer and still grant the earlier role.
  if ((await readRole(platform, caller)) !== role) {
    throw new SlackInputError(
      `Your permissions have just changed. Type ${COMMAND} dashboard again.`,
    )
  }
  return addressModal(address, address.as, clock.now())
}

/** Signs the user out of the dashboard if they are now a guest, who can no longer open it. */
async function readRole({ linkService, permissions, tasks }: LinkPlatform, caller: Caller) {
  return permissions.dashboardRole(caller).catch((error: unknown) => {
    if (error instanceof GuestError) {
      tasks.runInBackground(
        async () => (await linkService.signOut(caller.workspace, { userId: caller.userId }))(),
        'a guest could not be signed out',
      )
    }
    throw error
  })
}

/** An admin signs in as an editor if the limits of the workspace's key don't allow an admin. */
async function askForAddress(platform: LinkPlatform, caller: Caller, role: DashboardRole) {
  const { destinations } = await platform.settings.read(caller.workspace.id)
  const hosts = destinations?.hosts ?? []
  const ask = async (as: DashboardRole) => ({
    ...(await platform.linkService.signIn(caller, as, hosts)),
    as,
  })
  return ask(role).catch((error: unknown) => {
    if (role !== 'admin' || !isPermissionError(error)) throw error
    return ask('editor')
  })
}

const isPermissionError = (error: unknown): boolean =>
  failureOf(error, 'not_permitted') !== undefined

const ROLES: Record<DashboardRole, string> = {
  creator: 'see all links, create links, and change your own',
  editor: 'see and change all links, and create new ones',
  admin: 'see and change all links, create new ones, and see the API keys and who is signed in',
}

function addressModal({ url, expires_at }: SignInAddress, role: DashboardRole, now: number) {
  const minutes = Math.max(1, Math.round((Date.parse(expires_at) - now) / 60_000))
  return readOnlyModal(TITLE, [
    section(
      `The dashboard at ${bold(new URL(url).host)} opens in your browser. There you can ${ROLES[role]}, as far as this workspace’s API key allows.`,
    ),
    ...actions([button('Open the dashboard', ACTIONS.dashboardLink, { url, style: 'primary' })]),
    context(
      `The button works once, within ${formatCount(minutes, 'minute')}. It signs *you* in, so don’t give its link to anyone else: every change in the dashboard is recorded under your name.`,
    ),
  ])
}

function explainRefusal(error: LinkServiceError): never {
  if (!isPermissionError(error)) throw error
  if (/\bhttps\b/.test(error.message)) throw new SlackInputError(NOT_HTTPS, { cause: error })
  throw new SlackInputError(
    `This workspace’s API key can’t sign people in to the dashboard. The person who runs the link service can give it the permission dashboard:sign_in, with Allow sign-in under API keys in the dashboard. Or an admin of this workspace can connect another key, which has that permission, with ${COMMAND} connect.`,
    { cause: error },
  )
}
