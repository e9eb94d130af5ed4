import type { ModalView } from '@slack/types'
import type { SignInAddress } from '../../port/link-service.ts'
import { failureOf, LinkServiceError } from '../../port/failures.ts'
import type { DashboardRole } from '../../contract/extension-calls.ts'
import { isLoopbackHostname } from '../../http/public-hostname.ts'
import { formatCount } from '../../web/numbers.ts'
import { actions, button, context, section } from '../block-kit/elements.ts'
import { bold } from '../block-kit/mrkdwn.ts'
import { readOnlyModal } from '../block-kit/notices.ts'
import { ACTIONS, COMMAND, EVENTS } from '../ids.ts'
import type { LinkPlatform } from '../links/links.ts'
import { rankIn, type Caller } from '../platform/caller.ts'
import { serviceWords } from '../platform/error-messages.ts'
import { GuestError, SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'

const TITLE = 'Backhalf dashboard'

export function registerDashboard(listeners: Listeners, platform: LinkPlatform): void {
  const open = ({ caller, triggerId }: Pick<ActionRequest, 'caller' | 'triggerId'>) =>
    platform.views.openThenBuild(caller, { triggerId, title: TITLE }, async (show) =>
      show(await signInModal(platform, caller)),
    )

  listeners.command('dashboard', open)
  listeners.action(ACTIONS.openDashboard, open)
  listeners.action(ACTIONS.dashboardLink, async () => undefined)

  // Slack sends this event for all changes of a user, such as a new status, and doesn't say what has changed. So every
  // event ends the sessions that the user's current rank doesn't allow.
  listeners.event(EVENTS.userChanged, async ({ workspace }, { event: { user } }) => {
    const rank = rankIn(user, workspace.id)
    if (rank === 'admin') return
    // A user who is now a guest loses all sessions. A user who is now a member loses those as an admin.
    const role = rank === 'member' ? 'admin' : undefined
    const signOut = await platform.linkService.prepareSignOut(workspace, { userId: user.id, role })
    await signOut()
  })
}

async function signInModal(platform: LinkPlatform, caller: Caller): Promise<ModalView> {
  const { clock, linkService } = platform
  const role = await roleOrSignOut(platform, caller)
  const { signIn: canSignIn } = await linkService.requireCapabilities(
    caller.workspace,
    'has a dashboard',
  )
  if (!canSignIn) {
    throw new SlackInputError(
      `This workspace’s link service doesn’t let you sign in to a dashboard from Slack. Ask the person who runs it how to see your links in the browser, or use ${COMMAND} list.`,
    )
  }
  const address = await askForAddress(platform, caller, role).catch((error: unknown) => {
    if (!(error instanceof LinkServiceError) || !failureOf(error, 'not_permitted')) throw error
    const words = serviceWords(error)
    const quote = words && ` (“${words}”)`
    throw new SlackInputError(
      `The link service doesn’t let this workspace’s API key sign people in to the dashboard${quote}. If the key lacks the permission, ask the person who runs the link service to choose Allow sign-in for this key, under API keys in the dashboard. Or an admin of this workspace can connect a key that has the permission dashboard:sign_in: ${COMMAND} connect.`,
      { cause: error },
    )
  })
  const { protocol, hostname } = new URL(address.url)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHostname(hostname))) {
    throw new SlackInputError(
      'The dashboard’s address isn’t https, so others in your network could sign in as you. Ask the person who runs the link service to set up https.',
    )
  }
  // If the role has changed meanwhile, its sessions have ended. Without this check, the address would start a new one.
  if ((await roleOrSignOut(platform, caller)) !== role) {
    throw new SlackInputError(
      `Your permissions have just changed. Type ${COMMAND} dashboard again.`,
    )
  }
  return addressModal(address, address.grantedRole, clock.now())
}

/** Returns the user's role. Signs out a user who has become a guest. @throws GuestError for guests */
async function roleOrSignOut({ linkService, permissions, tasks }: LinkPlatform, caller: Caller) {
  return permissions.dashboardRole(caller).catch((error: unknown) => {
    if (error instanceof GuestError) {
      tasks.runInBackground(
        async () =>
          (await linkService.prepareSignOut(caller.workspace, { userId: caller.userId }))(),
        'a guest could not be signed out',
      )
    }
    throw error
  })
}

/** Gets an address that signs the user in. If the workspace's key can't sign in admins, an admin becomes an editor. */
async function askForAddress(platform: LinkPlatform, caller: Caller, role: DashboardRole) {
  const { destinations } = await platform.settings.read(caller.workspace.id)
  const hosts = destinations?.hosts ?? []
  const ask = async (grantedRole: DashboardRole) => ({
    ...(await platform.linkService.signIn(caller, grantedRole, hosts)),
    grantedRole,
  })
  return ask(role).catch((error: unknown) => {
    if (role !== 'admin' || !failureOf(error, 'not_permitted')) throw error
    return ask('editor')
  })
}

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
