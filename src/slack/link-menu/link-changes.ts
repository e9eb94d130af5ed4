import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { LinkDetails, ReadLink } from '../../port/links.ts'
import { failureOf } from '../../port/failures.ts'
import type { Operation } from '../../port/operation.ts'
import { textMessage } from '../block-kit/elements.ts'
import { LIMITS } from '../block-kit/limits.ts'
import { MADE_LINK } from '../block-kit/link-menu.ts'
import { toShownLink, type ShownLink } from '../block-kit/shown-link.ts'
import { noticeModal, type Notice } from '../block-kit/notices.ts'
import type { LinkPlatform } from '../links/links.ts'
import type { ShownLists } from '../list/index.ts'
import type { Caller } from '../platform/caller.ts'
import { SlackInputError } from '../platform/field-errors.ts'
import { answerForm } from '../platform/form-submission.ts'
import type { ActionRequest, FormSubmission } from '../platform/listeners.ts'
import { createSealedMetadata } from '../platform/sealed-metadata.ts'
import type { Show } from '../platform/views.ts'
import { formState } from '../shorten/form.ts'
import type { LinkRecord, Shortener } from '../shorten/shortener.ts'
import {
  CHANGED_MEANWHILE,
  CHANGED_SINCE,
  deletedText,
  deleteModal,
  turnedNotice,
} from './change-modals.ts'

const REMEMBERED_DRAWINGS = 1_000

interface LinkChangesOptions {
  lists: ShownLists
  shortener: Pick<Shortener, 'deliver'>
  linkRecord: Pick<LinkRecord, 'follow' | 'remove'>
}

/** Each method checks that the user may change the link, and throws a SlackInputError if not. */
export type LinkChanges = ReturnType<typeof createLinkChanges>

export function createLinkChanges(
  platform: LinkPlatform,
  { lists, shortener, linkRecord }: LinkChangesOptions,
) {
  const { clock, homeTab, keyring, linkService, logger, permissions, replies, tasks } = platform
  const metadata = createSealedMetadata(keyring, 'changed link', changedLink)
  /** The latest drawing of each link waits for the earlier ones, because a slow one would replace it. */
  const drawings = new LRUCache<string, Promise<unknown>>({ max: REMEMBERED_DRAWINGS })

  function seal({ workspace }: Caller, link: ChangedLink): string {
    const sealed = metadata.seal(link, workspace.id)
    if (sealed.length <= LIMITS.metadata) return sealed
    throw new SlackInputError('This link is too long to be changed from here.')
  }

  async function redraw(
    caller: Caller,
    { origin: { position, ...reply } }: Done['before'],
    { after, notice, isShared = false }: Done,
  ): Promise<boolean> {
    if (position === undefined) return false
    if (position === HOME) return homeTab.refresh(caller, notice)
    const target = { ...reply, replacesOriginal: 'only' as const }
    const draw = (): Promise<void> => {
      if (position !== MADE_LINK) return lists.refresh(caller, target, position, notice)
      if (!after) return replies.send(caller.client, target, textMessage(notice.text))
      return shortener.deliver(caller, target, after, { notice, isShared })
    }
    return draw().then(
      () => true,
      (err: unknown) => {
        logger.warn({ err }, 'the message of a changed link could not be replaced')
        return false
      },
    )
  }

  /**
   * Shows what was done in the message or the Home tab that the user saw the link in, or else in a new message. Never
   * rejects, and nothing waits for it.
   */
  function show(caller: Caller, done: Done): void {
    const { before, after, notice } = done
    const { name, origin } = before
    const earlier = drawings.get(name)
    const draw = async (): Promise<void> => {
      await earlier?.catch(() => undefined)
      if (await redraw(caller, before, done)) return
      const { position: _, ...reply } = origin
      // Its QR code would be uploaded for an outcome. A button shows it.
      if (after)
        await shortener.deliver(caller, reply, { ...after, qrColor: undefined }, { notice })
      else await replies.send(caller.client, reply, textMessage(notice.text))
    }
    const drawing = draw()
    drawings.set(name, drawing)
    tasks.runInBackground(() => drawing, 'what was done with a link could not be shown')
  }

  function follow(
    caller: Caller,
    before: Done['before'],
    after: LinkDetails | undefined,
    shown: Omit<Done, 'before' | 'after'> | undefined,
  ): void {
    const { name, shortUrl, origin } = before
    tasks.runInBackground(async () => {
      // First, because it decides who may change the link at its new short URL.
      await (after ? linkRecord.follow(caller, shortUrl, after) : linkRecord.remove(caller, name))
      if (shown) show(caller, { ...shown, before, after: after && toShownLink(after, clock.now()) })
      if (origin.position !== HOME) await homeTab.refresh(caller)
    }, 'what shows a changed link could not be drawn again')
  }

  /** With an `etag`, only this revision of the link is turned off or on. */
  async function turn(
    caller: Caller,
    link: ChangedLink,
    enabled: boolean,
    { operation, etag }: { operation?: Operation; etag?: string | undefined } = {},
  ): Promise<void> {
    await permissions.checkMayChange(caller, link)
    const read = await linkService.update(caller, link.name, { enabled }, { operation, etag })
    const turned = toShownLink(read.link, clock.now())
    follow(caller, link, read.link, { notice: turnedNotice(turned, enabled, read.etag) })
  }

  return {
    turn,
    follow,
    show,

    async turnOn(
      caller: Caller,
      existing: Pick<ChangedLink, 'name' | 'shortUrl'>,
    ): Promise<ShownLink> {
      await permissions.checkMayChange(caller, existing)
      const { name } = existing
      const { link } = await linkService.update(caller, name, { enabled: true })
      follow(caller, { ...existing, origin: { userId: caller.userId ?? '' } }, link, undefined)
      return toShownLink(link, clock.now())
    },

    async undo(caller: Caller, link: ChangedLink): Promise<void> {
      await turn(caller, link, true, { etag: link.etag }).catch((cause: unknown) => {
        if (!failureOf(cause, 'changed')) throw cause
        throw new SlackInputError(CHANGED_SINCE, { cause })
      })
    },

    async askToDelete(
      caller: Caller,
      read: ReadLink,
      origin: MenuOrigin,
      show: Show,
    ): Promise<void> {
      const link = toChangedLink(read, origin)
      await permissions.checkMayChange(caller, link)
      const capabilities = await linkService.capabilities(caller.workspace)
      const shown = { ...toShownLink(read.link, clock.now()), clicks: read.link.clicks }
      await show(deleteModal(shown, seal(caller, link), capabilities))
    },

    async delete(submission: FormSubmission): Promise<void> {
      const { caller, view } = submission
      const link = metadata.open(view.private_metadata, caller.workspace.id)
      const { name, etag, origin } = link
      await answerForm(platform, submission, {
        async work() {
          try {
            await permissions.checkMayChange(caller, link)
            await linkService.remove(caller, name, { etag })
          } catch (error) {
            if (failureOf(error, 'changed')) throw new SlackInputError(CHANGED_MEANWHILE)
            // It is as the user wants it.
            if (!failureOf(error, 'gone')) throw error
          }
          const { keepsAddresses } = await linkService.capabilities(caller.workspace)
          const text = deletedText(link.shortUrl, keepsAddresses)
          follow(caller, link, undefined, { notice: { text } })
          return text
        },
        waiting: noticeModal('Delete a link', 'Deleting the link…'),
        done: (text) => noticeModal('Delete a link', text),
        closesWhenDone: true,
        target: origin,
      })
    },
  }
}

const HOME = 'home'

const menuOriginSchema = formState.shape.reply.extend({
  /** A list's position, `made` or `home`; absent after a command. */
  position: z.string().optional(),
})

export type MenuOrigin = z.infer<typeof menuOriginSchema>

const changedLink = z.object({
  name: z.string(),
  shortUrl: z.string(),
  etag: z.string().optional(),
  origin: menuOriginSchema,
})

type ChangedLink = z.infer<typeof changedLink>

interface Done {
  before: Pick<ChangedLink, 'name' | 'shortUrl' | 'origin'>
  after?: ShownLink | undefined
  notice: Notice
  isShared?: boolean
}

export function toChangedLink({ link, etag }: ReadLink, origin: MenuOrigin): ChangedLink {
  return { name: link.name, shortUrl: link.shortlink_url, etag, origin }
}

export function menuOrigin(
  { target, view }: Pick<ActionRequest, 'target'> & Partial<ActionRequest>,
  position?: string,
): MenuOrigin {
  const { userId, responseUrl, channelId, threadTs } = target
  return { userId, responseUrl, channelId, threadTs, position: view ? HOME : position }
}
