import { failureOf } from '../../port/failures.ts'
import { createOperation, type Operation } from '../../port/operation.ts'
import {
  MADE_LINK,
  parseMenuChoice,
  parseLinkPosition,
  type MenuChoice,
} from '../block-kit/link-menu.ts'
import { escape } from '../block-kit/mrkdwn.ts'
import {
  decodeLink,
  decodeNamedLink,
  toShownLink,
  type ShownLink,
} from '../block-kit/shown-link.ts'
import { within } from '../../timing/clock.ts'
import type { Clicks } from '../clicks/index.ts'
import { ACTIONS, COMMAND, VIEWS } from '../ids.ts'
import { currentLink } from '../links/current-link.ts'
import { findChosenLink, findNamedLink } from '../links/find-link.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { ShownLists } from '../list/index.ts'
import type { Caller } from '../platform/caller.ts'
import { errorTexts } from '../platform/error-messages.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import type { ActionRequest, Listeners } from '../platform/listeners.ts'
import type { Sharing } from '../share/index.ts'
import type { Shorten } from '../shorten/index.ts'
import { linkCreatedModal } from '../shorten/link-created.ts'
import { toChangedLink, createLinkChanges, menuOrigin } from './link-changes.ts'
import { createLinkEdits } from './link-edits.ts'

/** The search comes before the modal opens, and a trigger lives for 3 s. */
const FIND_WITHIN_MS = 1_500

const TITLES = {
  edit: 'Edit a link',
  clicks: 'Clicks',
  delete: 'Delete a link',
  share: 'Share a link',
} as const

/**
 * What the user reads or fills in is shown in a modal: below a long list, it could be out of sight, and the Home tab
 * has no conversation. What is done at once is shown with the link. `/shorten edit` and `/shorten delete` show the same
 * modals.
 */
export function registerLinkMenu(
  listeners: Listeners,
  platform: LinkPlatform,
  {
    sharing,
    shorten,
    lists,
    clicks,
  }: { sharing: Sharing; shorten: Shorten; lists: ShownLists; clicks: Clicks },
): void {
  const { clock, homeTab, linkService, permissions, settings, views } = platform
  const changes = createLinkChanges(platform, { ...shorten, lists })
  const edits = createLinkEdits(platform, { ...shorten, changes })

  async function find({ caller }: ActionRequest, chosen: MenuChoice, operation: Operation) {
    await permissions.checkMaySee(caller)
    const [read, { qr }] = await Promise.all([
      findChosenLink(platform, caller, chosen, operation),
      settings.read(caller.workspace.id),
    ])
    return { read, color: qr.color, shown: toShownLink(read.link, clock.now(), qr.color) }
  }

  /**
   * Does what needs no modal. The Home tab, which has no conversation, shows why the user can't do it. If the link
   * service fails, drawing the tab again would fail, too, so the user gets a direct message.
   */
  async function doWithoutModal(
    { caller, view }: ActionRequest,
    work: () => Promise<void>,
  ): Promise<void> {
    await work().catch(async (error: unknown) => {
      if (!(error instanceof SlackInputError || failureOf(error, 'gone'))) throw error
      const text = errorTexts(error).map((message) => `:warning: ${escape(message)}`)
      if (!view || !(await homeTab.refresh(caller, { text: text.join('\n') }))) throw error
    })
  }

  async function withChangeable(caller: Caller, link: ShownLink): Promise<ShownLink> {
    const { name, shortlink_url, state } = link
    if (name === undefined) return link
    const { changeable } = await permissions.readRights(caller, [{ name, shortlink_url }])
    const mayChange = changeable.has(shortlink_url)
    return { ...link, changeable: mayChange ? { name, enabled: state !== 'off' } : undefined }
  }

  listeners.action(ACTIONS.linkMenu, (request) => {
    const { action, caller, triggerId } = request
    const chosen = parseMenuChoice(action)
    const { choice, position } = chosen
    if (choice === undefined) {
      throw new SlackInputError(
        `This message is from an earlier version of Backhalf. To open the link’s current menu, type ${COMMAND} list.`,
      )
    }
    const operation = createOperation({ clock })
    if (choice === 'off' || choice === 'on') {
      return doWithoutModal(request, async () => {
        const { read } = await find(request, chosen, operation)
        const link = toChangedLink(read, menuOrigin(request, position))
        await changes.turn(caller, link, choice === 'on', { operation })
      })
    }
    return views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
      const { read, shown, color } = await find(request, chosen, operation)
      const origin = menuOrigin(request, position)
      switch (choice) {
        case 'edit':
          return edits.open(caller, read, origin, show)
        case 'clicks':
          return clicks.showModal(caller, read.link, show, operation)
        case 'delete':
          return changes.askToDelete(caller, read, origin, show)
        case 'share':
          return sharing.show(caller, shown, color, show)
      }
    })
  })

  for (const id of [ACTIONS.copyLink, ACTIONS.showQr]) {
    listeners.action(id, ({ caller, triggerId, value }) =>
      views.openThenBuild(caller, { triggerId, title: TITLES.share }, async (show) => {
        await permissions.checkMaySee(caller)
        const link = await currentLink(platform, caller, decodeLink(value))
        const { qr } = await settings.read(caller.workspace.id)
        await sharing.show(caller, link, qr.color, show)
      }),
    )
  }

  // The message keeps its menu. It no longer offers to share the link in this channel.
  listeners.action(ACTIONS.shareLink, async (request) => {
    const { action, caller, target, value, messageTs } = request
    const link = await currentLink(platform, caller, decodeLink(value))
    await sharing.share(caller, target, link, messageTs)
    const { name = '', shortlink_url: shortUrl } = link
    const position = parseLinkPosition(action.block_id) ?? MADE_LINK
    changes.show(caller, {
      before: { name, shortUrl, origin: menuOrigin(request, position) },
      after: await withChangeable(caller, link),
      notice: { text: ':white_check_mark: Shared in this conversation' },
      isShared: true,
    })
  })

  listeners.action(ACTIONS.undoTurnOff, (request) => {
    const { action, caller, value } = request
    const origin = menuOrigin(request, parseLinkPosition(action.block_id))
    return doWithoutModal(request, () =>
      changes.undo(caller, { ...decodeNamedLink(value), origin }),
    )
  })

  for (const choice of ['edit', 'delete'] as const) {
    listeners.command(choice, async ({ caller, target, text, triggerId }) => {
      const { workspace } = caller
      const operation = createOperation({ clock })
      const finding = permissions
        .checkMaySee(caller)
        .then(() => findNamedLink(platform, workspace, { command: choice, text }, { operation }))
      // If the search takes longer, the modal shows why there is no such link.
      finding.catch(() => undefined)
      await within(clock, FIND_WITHIN_MS, finding)
      return views.openThenBuild(caller, { triggerId, title: TITLES[choice] }, async (show) => {
        const { name } = await finding
        const capabilities = await linkService.certain(workspace, `lets it ${choice} links`)
        if (!capabilities.get || !capabilities[choice === 'edit' ? 'update' : 'delete']) {
          throw new SlackInputError(
            `Backhalf can’t ${choice} this link. Its menu in ${COMMAND} list shows what Backhalf can do with it.`,
          )
        }
        const read = await linkService.get(workspace, name, { operation })
        const origin = menuOrigin({ target })
        if (choice === 'edit') await edits.open(caller, read, origin, show)
        else await changes.askToDelete(caller, read, origin, show)
      })
    })
  }

  // The existing link of a destination is turned off. Turning it on replaces the message about it.
  listeners.action(ACTIONS.turnOnDuplicate, async ({ caller, target, value, view }) => {
    const { shortener } = shorten
    const existing = decodeNamedLink(value)
    if (!view) {
      const link = await changes.turnOn(caller, existing)
      return shortener.deliver(caller, { ...target, replacesOriginal: true }, link)
    }
    const { target: answerTo } = shorten.duplicates.read(caller, view)
    await views.rebuild(caller, view, async (show) => {
      const link = await changes.turnOn(caller, existing)
      const done = `${link.shortlink_url} was turned on, and you get it as a message.`
      await Promise.all([
        shortener.deliver(caller, answerTo, link),
        show(linkCreatedModal(link), done),
      ])
    })
  })

  listeners.formSubmission(VIEWS.edit, (submission) => edits.submit(submission))
  listeners.formSubmission(VIEWS.deleteLink, (submission) => changes.delete(submission))
}
