import type { Person } from '../../contract/person.ts'
import { createRequestMemory } from '../../http/request-context.ts'
import { personId } from '../../workspaces/workspace.ts'
import { readRank, type Caller, type Rank } from '../platform/caller.ts'
import { GuestError, SlackInputError, SlackUnavailableError } from '../platform/field-errors.ts'
import { slackErrorCode } from '../platform/slack-errors.ts'
import { NO_RIGHTS, type LinkPlatform, type Permissions } from './links.ts'

export function createPermissions({
  linkService,
  logger,
  createdLinks,
  settings,
}: Pick<LinkPlatform, 'linkService' | 'logger' | 'createdLinks' | 'settings'>): Permissions {
  async function dependsOnRank({ workspace, userId }: Caller): Promise<boolean> {
    if (userId === undefined) return false
    return (await settings.read(workspace.id)).mayShorten === 'not_guests'
  }

  const ranks = createRequestMemory<Promise<Rank> | undefined>()

  async function askRank(caller: Caller): Promise<Rank> {
    const { workspace, userId = '' } = caller
    const key = `${workspace.id} ${userId}`
    const rank = ranks.get(key) ?? readRank(caller, userId)
    ranks.set(key, rank)
    return rank.catch((err: unknown) => {
      ranks.set(key, undefined) // The next check of this request asks again.
      logger.warn({ err }, 'Slack did not say whether a user is an admin or a guest')
      throw err
    })
  }

  /** @throws SlackUnavailableError with the text `failure` if Slack doesn't say the rank */
  async function requireRank(caller: Caller, failure: string): Promise<Rank> {
    return askRank(caller).catch((err: unknown) => {
      if (slackErrorCode(err) === 'missing_scope') throw err
      throw new SlackUnavailableError(`${failure} Please try again in a minute.`)
    })
  }

  async function requireMember(caller: Caller, failure: string, refusal: string): Promise<Rank> {
    const rank = await requireRank(caller, failure)
    if (rank === 'guest') throw new GuestError(refusal)
    return rank
  }

  async function refuseGuests(caller: Caller, rule: string, next: string): Promise<void> {
    if (!(await dependsOnRank(caller))) return
    const failure = `${rule}, and Backhalf couldn’t find out from Slack whether you are one.`
    await requireMember(caller, failure, `${rule}. ${next}`)
  }

  async function isAdmin(caller: Caller): Promise<boolean> {
    return caller.userId !== undefined && (await askRank(caller)) === 'admin'
  }

  const checkMaySee = (caller: Caller): Promise<void> =>
    refuseGuests(
      caller,
      'Guests can’t see the short links of this workspace',
      'Ask the person who invited you, or any member, for the link that you need.',
    )

  return {
    dependsOnRank,
    isAdmin,
    checkMaySee,
    checkMayShorten: (caller) =>
      refuseGuests(
        caller,
        'Guests can’t shorten links in this workspace',
        'Ask the person who invited you, or any member, to create the link for you.',
      ),

    async checkMayApprove(caller) {
      const failure = 'Backhalf couldn’t find out from Slack whether you can approve links.'
      const refusal = 'Guests can’t approve links. Ask another person in this channel.'
      await requireMember(caller, failure, refusal)
    },

    async checkMayChange(caller, { name, shortUrl }) {
      await checkMaySee(caller)
      const { userId, workspace } = caller
      if ((await settings.read(workspace.id)).mayChange === 'everyone') return
      const createdBy = (await createdLinks.find(workspace.id, shortUrl, name))?.createdBy
      if (userId !== undefined && userId === createdBy) return
      const failure =
        'Only the person who created this link and admins can change it, and Backhalf couldn’t find out from Slack whether you are an admin.'
      if (userId !== undefined && (await requireRank(caller, failure)) === 'admin') return
      if (createdBy === undefined && (await linkService.capabilities(workspace)).get) {
        // Throws if the link was deleted. The user then sees that, instead of “Only admins can change this link”.
        const { link } = await linkService.get(workspace, name)
        if (isCreator(caller, createdBy, link.created_by)) return
      }
      throw new SlackInputError(
        createdBy === undefined
          ? 'Only admins can change this link, because Backhalf doesn’t know who created it. Ask one of them.'
          : 'Only the person who created this link and admins can change it. Ask one of them.',
      )
    },

    async dashboardRole(caller) {
      const failure = 'Backhalf couldn’t find out from Slack whether you can open the dashboard.'
      const refusal =
        'Guests can’t open the dashboard. Ask the person who invited you, or any member, for the links that you need.'
      if ((await requireMember(caller, failure, refusal)) === 'admin') return 'admin'
      const { mayChange } = await settings.read(caller.workspace.id)
      return mayChange === 'everyone' ? 'editor' : 'creator'
    },

    async readRights(caller, links) {
      try {
        const { userId, workspace } = caller
        const [capabilities, { mayChange }, recorded] = await Promise.all([
          linkService.capabilities(workspace),
          settings.read(workspace.id),
          Promise.all(
            links.map((link) => createdLinks.find(workspace.id, link.shortlink_url, link.name)),
          ),
        ])
        const creators = new Map(
          links.map((link, index) => [link.shortlink_url, recorded[index]?.createdBy]),
        )
        const canChange =
          userId !== undefined && links.length > 0 && (capabilities.update || capabilities.delete)
        const mayChangeAll =
          canChange && (mayChange === 'everyone' || (await isAdmin(caller).catch(() => false)))
        const changeable = new Set<string>()
        for (const { shortlink_url: url, created_by: reported } of canChange ? links : []) {
          if (mayChangeAll || isCreator(caller, creators.get(url), reported)) changeable.add(url)
        }
        return { capabilities, creators, changeable }
      } catch (err) {
        logger.warn({ err }, 'it is unknown which links a user can change')
        return NO_RIGHTS
      }
    },
  }
}

/** @param reported the creator that the link service names. It counts only if the app's own record names none */
function isCreator(
  { userId, workspace }: Caller,
  recorded: string | undefined,
  reported: Pick<Person, 'id'> | undefined,
): boolean {
  if (userId === undefined) return false
  return recorded === undefined
    ? reported?.id === personId(workspace.id, userId)
    : recorded === userId
}
