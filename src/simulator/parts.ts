import {
  createAppConnection,
  type AppConnection,
  type PayloadChanges,
} from './app/app-connection.ts'
import { createGrants, type Grants } from './app/grants.ts'
import { createEvents, EVENT_RETRIES_MS, type Events } from './app/events.ts'
import { createResponseUrls, type ResponseUrls } from './app/response-urls.ts'
import type { Team } from './app/team.ts'
import { createTriggers, type Triggers } from './app/triggers.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { createClock, type Clock } from './workspace/clock.ts'
import { createConversations, type Conversations } from './workspace/conversations.ts'
import { createFiles, type Files, type Processing } from './workspace/files.ts'
import { createContentReader, type ReadContent } from './workspace/message-content.ts'
import { createMessages, toMrkdwn, type Messages } from './workspace/messages.ts'
import { createRefusals, type Refusals } from './workspace/refusals.ts'
import { CHANNELS, PEOPLE, TEAM } from './workspace/seeds.ts'
import { createStepRuns, type StepRuns } from './workspace/step-runs.ts'
import { createViews, type Views } from './workspace/views.ts'

/** Slack's timeout for acknowledgements, in milliseconds. */
const ACK_TIMEOUT_MS = 3000

/** The parts of a simulated workspace. */
export interface Parts {
  manifest: Manifest
  clock: Clock
  app: AppConnection
  events: Events
  conversations: Conversations
  messages: Messages
  files: Files
  views: Views
  triggers: Triggers
  responseUrls: ResponseUrls
  stepRuns: StepRuns
  readContent: ReadContent
  refusals: Refusals
  team: Team
  /** Whether this Slack fetches images from this machine. */
  reachesLoopback: boolean
  /** The ids of people whose accounts were deactivated. */
  deactivated: Set<string>
  grants: Grants
  /** The workspace's URL, without a trailing slash. */
  baseUrl: () => string
}

export interface PartsOptions {
  /** The app's manifest, parsed. */
  manifest: unknown
  /** Signs the requests to the app. */
  signingSecret: string
  /** A bot token that works from the start. */
  botToken?: string
  /** The workspace to simulate; by default the one of the playground. */
  team?: Team
  /** Changes what the app receives. Inside the simulator, everything belongs to the workspace of the seeds. */
  changes?: PayloadChanges
  /** Whether this Slack fetches images from this machine, as in the playground; by default, it doesn't. */
  reachesLoopback?: boolean
  /** Milliseconds since 1970. */
  now?: () => number
  /** Tokens that several workspaces share; by default, the workspace has its own. */
  grants?: Grants
  /** The scopes of `botToken`; by default all in the manifest. */
  scopes?: readonly string[]
  /** Starts the timeout of a request to the app; by default Slack's 3 s. */
  ackTimeout?: () => AbortSignal
  /** The delays before a failed event is sent again, in milliseconds; by default Slack's. */
  eventRetriesMs?: readonly number[]
  /** How long an upload can't be shown as a `slack_file`; by default, it can be shown at once. */
  processing?: Processing
}

/** Creates a workspace's parts, with the first messages in its channels. */
export function createParts(
  options: PartsOptions,
  changed: () => void,
  baseUrl: () => string,
): Parts {
  const { signingSecret, botToken, now = Date.now, team = TEAM, reachesLoopback = false } = options
  const { ackTimeout = () => AbortSignal.timeout(ACK_TIMEOUT_MS) } = options
  const manifest = readManifest(options.manifest)
  const grants = options.grants ?? createGrants(now)
  if (botToken !== undefined) {
    const scopes = new Set(options.scopes ?? manifest.oauth_config.scopes.bot)
    grants.tokens.set(botToken, { grant: { team, scopes, userId: PEOPLE[0].id } })
  }
  const clock = createClock(now)
  const refusals = createRefusals(changed)
  const messages = createMessages(changed)
  const files = createFiles({
    now,
    changed,
    processing: options.processing ?? {},
    publicPath: (id) => `${new URL(baseUrl()).pathname.replace(/\/$/, '')}/files/${id}`,
  })
  const readContent = createContentReader(refusals, (file) => files.check(file), reachesLoopback)
  const hooksUrl = (): string => `${baseUrl()}/hooks`
  const app = createAppConnection({ signingSecret, now, ackTimeout, changes: options.changes })
  addSeedMessages(messages, clock)
  return {
    manifest,
    clock,
    app,
    events: createEvents({
      app,
      subscribed: manifest.settings.event_subscriptions.bot_events,
      now,
      retriesMs: options.eventRetriesMs ?? EVENT_RETRIES_MS,
    }),
    conversations: createConversations(
      {
        name: manifest.display_information.name,
        readOnly: manifest.features.app_home.messages_tab_read_only_enabled,
      },
      changed,
    ),
    messages,
    files,
    views: createViews(now, changed),
    triggers: createTriggers(now),
    responseUrls: createResponseUrls({ clock, messages, readContent, refusals, hooksUrl }),
    stepRuns: createStepRuns(changed),
    readContent,
    refusals,
    team,
    reachesLoopback,
    deactivated: new Set(),
    grants,
    baseUrl,
  }
}

function addSeedMessages(messages: Messages, clock: Clock): void {
  for (const { id, messages: seeds } of CHANNELS) {
    for (const { by, text } of seeds) {
      messages.add(id, {
        ts: clock.ts(),
        author: { kind: 'person', id: by },
        text: toMrkdwn(text),
        files: [],
        ephemeral: false,
        edited: false,
      })
    }
  }
}
