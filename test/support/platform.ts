import { WebClient } from '@slack/web-api'
import { pino } from 'pino'
import { SPECIFICATION } from '../../src/port/capabilities.ts'
import { createInFlightTasks } from '../../src/http/in-flight-tasks.ts'
import type { MessageContent } from '../../src/slack/block-kit/messages.ts'
import type { Links, ShortenPlatform, WorkspaceLinkService } from '../../src/slack/links/links.ts'
import { createPermissions } from '../../src/slack/links/permissions.ts'
import type { Caller, ReplyTarget } from '../../src/slack/platform/caller.ts'
import type { Platform } from '../../src/slack/platform/platform.ts'
import { createViews } from '../../src/slack/platform/views.ts'
import { systemClock, type Clock } from '../../src/timing/clock.ts'
import { createKeyring } from '../../src/workspaces/keyring.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../src/workspaces/settings.ts'

/** A clock that only the test moves: a sleep lasts until the test ends it. */
export interface FakeClock extends Clock {
  /** Ends a sleep of exactly this many milliseconds, as soon as there is one. Time advances by as much. */
  endSleep(ms: number): Promise<void>
  /** The lengths of the sleeps that have not ended, in milliseconds. */
  sleeping(): number[]
  /** Advances the time without ending a sleep. */
  advance(ms: number): void
}

export function createFakeClock(): FakeClock {
  let now = Date.parse('2026-03-01T12:00:00Z')
  const sleeps = new Set<{ ms: number; end: () => void }>()
  const waiting = new Set<{ ms: number; found: () => void }>()

  /** Ends the oldest sleep of each length that a test waits for. */
  function endSleeps(): void {
    for (const wait of waiting) {
      const sleep = [...sleeps].find(({ ms }) => ms === wait.ms)
      if (!sleep) continue
      waiting.delete(wait)
      sleeps.delete(sleep)
      now += sleep.ms
      sleep.end()
      wait.found()
    }
  }

  return {
    now: () => now,
    random: () => 1,
    timeout: (ms) => systemClock.timeout(ms),
    sleep: (ms, signal) =>
      new Promise((end, reject) => {
        signal?.throwIfAborted()
        const sleep = { ms, end }
        signal?.addEventListener('abort', () => {
          sleeps.delete(sleep)
          reject(signal.reason as Error)
        })
        sleeps.add(sleep)
        endSleeps()
      }),
    endSleep: (ms) =>
      new Promise((found) => {
        waiting.add({ ms, found })
        endSleeps()
      }),
    sleeping: () => [...sleeps].map(({ ms }) => ms),
    advance: (ms) => void (now += ms),
  }
}

const notConfigured = (): Promise<never> =>
  Promise.reject(new Error('this test needs a link service of its own'))

/** A link service that fails every call. A test replaces the calls that it needs. */
export const NO_LINK_SERVICE: WorkspaceLinkService = {
  connection: notConfigured,
  capabilities: async () => SPECIFICATION,
  knownCapabilities: async () => SPECIFICATION,
  requireCapabilities: async () => SPECIFICATION,
  create: notConfigured,
  list: notConfigured,
  listDomains: notConfigured,
  get: notConfigured,
  update: notConfigured,
  remove: notConfigured,
  clicks: notConfigured,
  report: notConfigured,
  tags: notConfigured,
  signIn: notConfigured,
  prepareSignOut: async () => async () => undefined,
  signOutAfter: (_workspace, work) => work(),
  erasePerson: notConfigured,
}

const NO_RECORD = {
  find: async () => undefined,
  list: async () => ({ links: [], total: 0, hasMore: false }),
}

/** A platform without a connection to Slack. It records what users would see. */
export interface FakePlatform extends Platform, Links {
  clock: FakeClock
  /** The answers to users, oldest first. */
  sent: { target: ReplyTarget; message: MessageContent }[]
  /** The log's lines, as JSON. */
  logged: string[]
}

/**
 * @param parts replace parts of the platform
 * @param settings what differs from the default settings, in every workspace
 */
export function fakePlatform(
  parts: Partial<Omit<Platform & Links, 'clock'>> = {},
  settings: Partial<Settings> = {},
): FakePlatform {
  const clock = createFakeClock()
  const sent: FakePlatform['sent'] = []
  const logged: string[] = []
  const done = new Set<string>()
  const logger = pino({}, { write: (line: string) => void logged.push(line) })
  let stored: Settings = { ...DEFAULT_SETTINGS, ...settings }
  const store: Platform['settings'] = {
    read: async () => stored,
    update: async (_workspaceId, _userId, change) => (stored = change(stored)),
    dueReports: async () => [],
    moveReport: async () => false,
  }
  return {
    clock,
    logger,
    reachesLoopback: false,
    tasks: createInFlightTasks(logger),
    async doOnce(key, work) {
      if (done.has(key)) return undefined
      const value = await work()
      done.add(key)
      return { value }
    },
    replies: {
      send: async (_client, target, message) => void sent.push({ target, message }),
      async sendWithPicture(_client, target, { upload }, { build }) {
        const direct = target.responseUrl === undefined
        const picture = typeof upload === 'function' ? await upload() : upload
        sent.push({ target, message: build({ picture, direct }) })
      },
    },
    views: createViews(clock, logger),
    linkService: NO_LINK_SERVICE,
    mostUsedTags: async () => [],
    qrSource: async () => ({ upload: async () => ({ slack_file: { id: 'F0123456789' } }) }),
    chartSource: () => ({ upload: undefined }),
    settings: store,
    permissions: createPermissions({
      logger,
      settings: store,
      linkService: parts.linkService ?? NO_LINK_SERVICE,
      createdLinks: NO_RECORD,
    }),
    createdLinks: NO_RECORD,
    keyring: createKeyring([Buffer.alloc(32, 7)]),
    homeTab: { refresh: async () => false, turnTo: async () => undefined },
    ...parts,
    sent,
    logged,
  }
}

/** A platform whose link service only creates links, as `create` says. */
export function fakeShortenPlatform(create: WorkspaceLinkService['create']) {
  const domains = [{ name: 'dom_1', domain_name: 'go.example.com' }]
  const connection = async () => ({ apiKey: 'key-1', domains, source: 'connected' as const })
  const fake = fakePlatform({ linkService: { ...NO_LINK_SERVICE, connection, create } })
  const createdLinks = { ...NO_RECORD, add: async () => undefined }
  return { ...fake, createdLinks } as unknown as FakePlatform & ShortenPlatform
}

/** A user of the workspace T_ONE. Spy on the client's methods to answer for Slack. */
export function fakeCaller(parts: Partial<Caller> = {}): Caller {
  return {
    workspace: { id: 'T_ONE' },
    client: new WebClient('xoxb-1'),
    userId: 'U_ANA',
    mayReadFiles: true,
    mayShowCards: true,
    mayUploadFiles: true,
    ...parts,
  }
}
