import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Connection } from '../workspaces/connection.ts'
import { home, type HomeService, type HomeTab } from './blocks/home.ts'
import type { Caller } from './caller.ts'
import { explain } from './explain.ts'
import { faultText } from './input/slack-input-error.ts'
import { encodeListPosition, FIRST_PAGE, type ListPosition } from './input/list-text.ts'
import { isAdmin } from './is-admin.ts'
import type { Links } from './links.ts'
import { listPage } from './list-page.ts'
import { NotConnectedError } from './not-connected-error.ts'

/** People whose Home tab is remembered; whoever is forgotten sees it drawn when they come again. */
const REMEMBERED = 10_000

/** Draws each person's Home tab. */
export interface Homes {
  /**
   * For somebody who opens it: with the newest links.
   *
   * @param isEmpty whether nothing is to be seen there yet: then what is known here comes first
   */
  open(caller: Caller, userId: string, isEmpty: boolean): Promise<void>
  /** At another page of links. */
  turnTo(caller: Caller, userId: string, position: ListPosition): Promise<void>
  /**
   * After a change that shows there. Nothing happens for somebody who has not opened it. It never
   * fails: what went wrong is in the log.
   */
  refresh(caller: Caller, userId: string): Promise<void>
}

interface Drawing {
  caller: Caller
  position: ListPosition
  /** Whether something is to be seen before the link service has answered. */
  atOnce: boolean
}

interface Person {
  position: ListPosition
  /** The newest drawing that was asked for and is not begun. */
  wanted?: Drawing | undefined
  /** What draws now, and everything that is wanted meanwhile: one after another, in order. */
  drawing?: Promise<void> | undefined
}

export function createHomes({
  links,
  serviceUrl,
  logger,
}: {
  links: Links
  /** Where the link service is, for people. */
  serviceUrl: string
  logger: Logger
}): Homes {
  const people = new LRUCache<string, Person>({ max: REMEMBERED })
  const host = new URL(serviceUrl).host

  const keyOf = ({ workspace }: Caller, userId: string): string => `${workspace.id} ${userId}`

  function remember(key: string): Person {
    const person = people.get(key) ?? { position: FIRST_PAGE }
    people.set(key, person)
    return person
  }

  /** Of several that are wanted while one is drawn, only the last one is drawn. */
  function draw(person: Person, userId: string, wanted: Drawing): Promise<void> {
    person.position = wanted.position
    person.wanted = { ...wanted, atOnce: wanted.atOnce || person.wanted?.atOnce === true }
    person.drawing ??= drawAll(person, userId)
    return person.drawing
  }

  async function drawAll(person: Person, userId: string): Promise<void> {
    try {
      while (person.wanted) {
        const next = person.wanted
        person.wanted = undefined
        await drawOne(userId, next, () => person.wanted !== undefined)
      }
    } finally {
      person.drawing = undefined
    }
  }

  async function drawOne(
    userId: string,
    { caller, position, atOnce }: Drawing,
    isOvertaken: () => boolean,
  ): Promise<void> {
    const publish = async (tab: HomeTab): Promise<unknown> =>
      caller.client.views.publish({ user_id: userId, view: home(tab) })
    const known = await connectionOf(caller, position)
    if (atOnce) {
      await publish({ ...known, isAdmin: false, ...(known.service && { links: 'loading' }) })
    }
    const [admin, filled] = await Promise.all([
      mayAdminister(caller, userId),
      known.service ? linksOf(caller, position) : {},
    ])
    if (!isOvertaken()) await publish({ ...known, ...filled, isAdmin: admin })
  }

  async function connectionOf(
    { workspace }: Caller,
    position: ListPosition,
  ): Promise<Pick<HomeTab, 'service' | 'links'>> {
    try {
      return { service: serviceOf(await links.connection(workspace)) }
    } catch (error) {
      return error instanceof NotConnectedError ? {} : { links: trouble(error, position) }
    }
  }

  function serviceOf({ source, domains, apiKey }: Connection): HomeService {
    // The deployment's own configuration names the domain record, and not its hostname.
    const known = source === 'configured' ? undefined : domains[0]
    return { host, domain: known?.domain_name, keyEnding: apiKey.slice(-4) }
  }

  async function linksOf(
    { workspace }: Caller,
    position: ListPosition,
  ): Promise<Pick<HomeTab, 'links'>> {
    return listPage(links, workspace, position).then(
      (page) => ({ links: page }),
      (error: unknown) => ({ links: trouble(error, position) }),
    )
  }

  function trouble(err: unknown, position: ListPosition): HomeTab['links'] {
    logger.warn({ err }, 'the links of a Home tab could not be fetched')
    return { messages: explain(err).map(faultText), position: encodeListPosition(position) }
  }

  /** Without the scope users:read nobody is known to be an admin: the tab is no worse for it. */
  async function mayAdminister(caller: Caller, userId: string): Promise<boolean> {
    return isAdmin(caller, userId).catch((err: unknown) => {
      logger.warn({ err }, 'Slack did not say whether somebody is an admin')
      return false
    })
  }

  return {
    open: (caller, userId, isEmpty) =>
      draw(remember(keyOf(caller, userId)), userId, {
        caller,
        position: FIRST_PAGE,
        atOnce: isEmpty,
      }),
    turnTo: (caller, userId, position) =>
      draw(remember(keyOf(caller, userId)), userId, { caller, position, atOnce: false }),
    async refresh(caller, userId) {
      const person = people.get(keyOf(caller, userId))
      if (!person) return
      const { position } = person
      await draw(person, userId, { caller, position, atOnce: false }).catch((err: unknown) =>
        logger.error({ err }, 'a Home tab could not be drawn again'),
      )
    },
  }
}
