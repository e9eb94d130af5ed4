import { EventEmitter } from 'node:events'
import { LRUCache } from 'lru-cache'
import { createAppConnection, createEvents } from './app/app-connection.ts'
import { createGrants, createResponseUrls, createTriggers } from './app/credentials.ts'
import type { PictureChecks } from './block-kit/check.ts'
import { manifestSchema } from './manifest.ts'
import type { StepRun } from './protocol.ts'
import { createClock } from './workspace/clock.ts'
import { createConversations, FIRST_MESSAGES } from './workspace/seeds.ts'
import { createFiles } from './workspace/files.ts'
import { createImages, type FetchImage } from './workspace/images.ts'
import { createMessages, toMrkdwn } from './workspace/messages.ts'
import { createRefusals } from './workspace/refusals.ts'
import { createViews } from './workspace/views.ts'

const ACK_TIMEOUT_MS = 3000
const TRIGGER_LIFETIME_MS = 3000
const MAX_STEP_RUNS = 50

export interface StoredRun extends StepRun {
  viewerId: string
  token: string
}

export type Parts = ReturnType<typeof createParts>

export interface PartsOptions {
  manifest: unknown
  signingSecret: string
  botToken: string
  reachesLoopback?: boolean
  fetchImage?: FetchImage
  now?: () => number
  ackTimeout?: () => AbortSignal
  triggerLifetimeMs?: number | undefined
}

export function createParts(options: PartsOptions) {
  const {
    signingSecret,
    botToken,
    now = Date.now,
    triggerLifetimeMs = TRIGGER_LIFETIME_MS,
    ackTimeout = () => AbortSignal.timeout(ACK_TIMEOUT_MS),
  } = options
  const manifest = manifestSchema.parse(options.manifest)
  const { display_information, oauth_config, settings } = manifest
  let servedAt: string | undefined
  const baseUrl = (): string => {
    if (servedAt === undefined) throw new Error('the simulated workspace has no URL yet')
    return servedAt
  }
  // Without a limit of listeners, because each open page has one.
  const changes = new EventEmitter<{ change: [] }>().setMaxListeners(0)
  const grants = createGrants()
  grants.tokens.set(botToken, { scopes: new Set(oauth_config.scopes.bot) })
  const clock = createClock(now)
  const messages = createMessages(() => clock.ts())
  for (const { in: channel, by, text } of FIRST_MESSAGES) {
    messages.add(channel, { author: { kind: 'person', id: by }, text: toMrkdwn(text) })
  }
  const files = createFiles(now, baseUrl)
  const images = createImages(options)
  const app = createAppConnection({ signingSecret, now, ackTimeout })
  return {
    manifest,
    clock,
    app,
    events: createEvents(app, settings.event_subscriptions.bot_events, now),
    conversations: createConversations(display_information.name),
    messages,
    files,
    views: createViews(now),
    triggers: createTriggers(now, triggerLifetimeMs),
    responseUrls: createResponseUrls(now, baseUrl),
    stepRuns: new LRUCache<string, StoredRun>({ max: MAX_STEP_RUNS }),
    refusals: createRefusals(),
    images,
    pictures: { file: files.check, image: images.check } satisfies PictureChecks,
    grants,
    baseUrl,
    serveAt: (url: string): void => void (servedAt = url),
    changes,
    changed: (): void => void changes.emit('change'),
  }
}
