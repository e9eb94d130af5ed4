import type { ModalView } from '@slack/types'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { LinkGoneError, StaleEditError } from '../../client/errors.ts'
import type { LinkDetails, ReadLink } from '../../client/link-client.ts'
import type { Operation } from '../../client/operation.ts'
import { textMessage, type MessageContent } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { isMadeLink, pictureApart } from '../block-kit/link-menu.ts'
import { shownLinkOf, type ShownLink } from '../block-kit/shown-link.ts'
import { noticeModal } from '../block-kit/notices.ts'
import type { Links } from '../links/links.ts'
import type { ShownLists } from '../list/index.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import { formAgain } from '../platform/form-values.ts'
import type { ActionRequest, FormSubmission } from '../platform/listeners.ts'
import type { Platform } from '../platform/platform.ts'
import { DeadResponseUrlError } from '../platform/replies.ts'
import { createSealedMetadata } from '../platform/sealed-metadata.ts'
import type { Show } from '../platform/views.ts'
import type { LinkRecord, Shortener } from '../shorten/shortener.ts'
import { CHANGED_MEANWHILE, deletedText, deleteModal, turnedModal } from './change-modals.ts'

/** How many links' drawings are remembered. */
const REMEMBERED_DRAWINGS = 1_000

interface LinkChangesOptions {
  lists: ShownLists
  shortener: Pick<Shortener, 'deliver'>
  linkRecord: Pick<LinkRecord, 'follow' | 'remove'>
}

/**
 * Turns links off and on, and deletes them. Each checks that the user may, and throws a SlackInputError if not. A call of
 * the link service throws a LinkServiceError or a NotConnectedError.
 */
export type LinkChanges = ReturnType<typeof createLinkChanges>

export function createLinkChanges(
  platform: Platform & Links,
  { lists, shortener, linkRecord }: LinkChangesOptions,
) {
  const { clock, homeTab, keyring, linkService, permissions, replies, tasks } = platform
  const metadata = createSealedMetadata(keyring, 'changed link', changedLink)
  /** The latest drawing of each link. It waits for the earlier ones, because a slow one would replace it. */
  const drawings = new LRUCache<string, Promise<unknown>>({ max: REMEMBERED_DRAWINGS })

  function seal({ workspace }: Caller, link: ChangedLink): string {
    const sealed = metadata.seal(link, workspace.id)
    if (sealed.length <= LIMITS.metadata) return sealed
    throw new SlackInputError('This link is too long to be changed from here.')
  }

  async function deleteForm(
    caller: Caller,
    read: ReadLink,
    origin: MenuOrigin,
  ): Promise<ModalView> {
    const { update: canTurnOff } = await linkService.offers(caller.workspace)
    const { clicks } = read.link
    const shown = { ...shownLinkOf(read.link, clock.now()), clicks }
    return deleteModal(shown, seal(caller, changedLinkOf(read, origin)), canTurnOff)
  }

  /** The modal tells the user the result. A list that can't be replaced anymore must not arrive as a new message. */
  async function redraw(
    caller: Caller,
    { name, shortUrl, origin }: Pick<ChangedLink, 'name' | 'shortUrl' | 'origin'>,
    after: LinkDetails | undefined,
    isNewQrCode: boolean,
  ): Promise<void> {
    const { position, ...reply } = origin
    if (position === undefined) return
    await drawings.get(name)?.catch(() => undefined)
    const target = { ...reply, replacesOriginal: 'only' as const }
    const draw = (): Promise<void> => {
      if (!isMadeLink(position)) return lists.refresh(caller, target, position)
      const shown = isNewQrCode ? undefined : pictureApart(position)
      if (after) return shortener.deliver(caller, target, shownLinkOf(after, clock.now()), shown)
      return replies.send(caller.client, target, deletedMessage(shortUrl, shown))
    }
    await draw().catch((error: unknown) => {
      if (!(error instanceof DeadResponseUrlError)) throw error
    })
  }

  /**
   * Brings our record of links, and what shows the link, up to date with a change. Never rejects, and no user
   * waits for it.
   *
   * @param after absent if the link was deleted
   * @param isNewQrCode whether an earlier picture of its QR code is outdated
   */
  function follow(
    caller: Caller,
    before: Pick<ChangedLink, 'name' | 'shortUrl' | 'origin'>,
    after?: LinkDetails,
    isNewQrCode = false,
  ): void {
    const { name, shortUrl } = before
    tasks.runInBackground(async () => {
      // First, because it decides who may change the link at its new short URL.
      await (after ? linkRecord.follow(caller, shortUrl, after) : linkRecord.remove(caller, name))
      const drawing = redraw(caller, before, after, isNewQrCode)
      drawings.set(name, drawing)
      await Promise.all([drawing, homeTab.refresh(caller)])
    }, 'what shows a changed link could not be drawn again')
  }

  /**
   * @param options `operation`: what this is part of; `undo`: whether the modal has a button that undoes the change. Only
   *   the first modal has one, because each change replaces the message with the link, and its `response_url` accepts
   *   only five answers
   */
  async function turn(
    caller: Caller,
    link: ChangedLink,
    enabled: boolean,
    show: Show,
    { operation, undo = true }: { operation?: Operation; undo?: boolean },
  ): Promise<void> {
    await permissions.checkMayChange(caller, link)
    // Before the change, so that a link that is too long for the modal isn't changed.
    const sealed = seal(caller, link)
    const read = await linkService.update(caller, link.name, { enabled }, { operation })
    follow(caller, link, read.link)
    const done = `${read.link.shortlink_url} was turned ${enabled ? 'on' : 'off'}.`
    await show(turnedModal(shownLinkOf(read.link, clock.now()), enabled, undo && sealed), done)
  }

  return {
    turn,
    follow,

    /** Turns on a link that a create found, to be used. */
    async turnOn(
      caller: Caller,
      existing: Pick<ChangedLink, 'name' | 'shortUrl'>,
    ): Promise<ShownLink> {
      await permissions.checkMayChange(caller, existing)
      const { name } = existing
      const { link } = await linkService.update(caller, name, { enabled: true })
      follow(caller, { ...existing, origin: { userId: caller.userId ?? '' } }, link)
      return shownLinkOf(link, clock.now())
    },

    /** `turn` for the modal that says that a link was turned off or on. */
    turnBack: (
      caller: Caller,
      view: { private_metadata: string },
      enabled: boolean,
      show: Show,
    ): Promise<void> =>
      turn(caller, metadata.open(view.private_metadata, caller.workspace.id), enabled, show, {
        undo: false,
      }),

    /** Asks whether to delete a link. */
    async askToDelete(
      caller: Caller,
      read: ReadLink,
      origin: MenuOrigin,
      show: Show,
    ): Promise<void> {
      await permissions.checkMayChange(caller, changedLinkOf(read, origin))
      await show(await deleteForm(caller, read, origin))
    },

    /** Deletes the link of a submitted form. */
    async delete(submission: FormSubmission): Promise<void> {
      const { caller, view } = submission
      const link = metadata.open(view.private_metadata, caller.workspace.id)
      const { name, etag, origin } = link
      /** The form with the link as someone else has changed it. */
      let form: ModalView | undefined
      await answerForm(platform, submission, {
        async work() {
          try {
            await permissions.checkMayChange(caller, link)
            await linkService.remove(caller, name, { etag })
          } catch (error) {
            if (error instanceof StaleEditError) {
              const read = await linkService.get(caller.workspace, name)
              form = await deleteForm(caller, read, origin)
              throw new SlackInputError(CHANGED_MEANWHILE)
            }
            // It is as the user wants it.
            if (!(error instanceof LinkGoneError)) throw error
          }
          follow(caller, link)
        },
        waiting: noticeModal('Delete a link', 'Deleting the link…'),
        rebuild: async (messages) => formAgain({ ...view, ...form }, messages),
        done: () => noticeModal('Delete a link', deletedText(link.shortUrl)),
        closesWhenDone: false,
        missed: () => deletedMessage(link.shortUrl),
        target: origin,
      })
    },
  }
}

/** Replaces the message about a link that was deleted. @param picture 'apart' if another message still shows its QR code */
function deletedMessage(shortUrl: string, picture?: 'apart'): MessageContent {
  const code = ' So do those who scan its QR code, which Slack doesn’t let Backhalf remove.'
  return textMessage(deletedText(shortUrl) + (picture ? code : ''))
}

/** Where the user opened a link's menu: what shows the link, and is drawn again when the link has changed. */
const menuOrigin = z.object({
  userId: z.string(),
  responseUrl: z.string().optional(),
  channelId: z.string().optional(),
  threadTs: z.string().optional(),
  /** The position of the list in the message, or of a made link; absent in the Home tab. */
  position: z.string().optional(),
})

export type MenuOrigin = z.infer<typeof menuOrigin>

/** What the modals that change a link carry, encrypted. */
const changedLink = z.object({
  name: z.string(),
  shortUrl: z.string(),
  etag: z.string().optional(),
  origin: menuOrigin,
})

type ChangedLink = z.infer<typeof changedLink>

export function changedLinkOf({ link, etag }: ReadLink, origin: MenuOrigin): ChangedLink {
  return {
    name: link.name,
    shortUrl: link.shortlink_url,
    ...(etag !== undefined && { etag }),
    origin,
  }
}

export function originOf(
  { target, view }: Pick<ActionRequest, 'target'> & Partial<ActionRequest>,
  position?: string,
): MenuOrigin {
  const { userId, responseUrl, channelId, threadTs } = target
  return { userId, responseUrl, channelId, threadTs, ...(!view && { position }) }
}
