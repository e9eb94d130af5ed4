import { createAppConnection } from '../simulator/app/app-connection.ts'
import { createClock, type Clock } from '../simulator/workspace/clock.ts'
import { createConversations } from '../simulator/workspace/conversations.ts'
import { createEvents, EVENT_RETRIES_MS } from '../simulator/app/events.ts'
import { createFiles } from '../simulator/workspace/files.ts'
import { createGrants } from './grants.ts'
import { readManifest } from '../simulator/manifest.ts'
import { createContentReader } from './message-content.ts'
import { createMessages, type Messages } from '../simulator/workspace/messages.ts'
import { asMrkdwn } from './mrkdwn.ts'
import type { Parts } from './parts.ts'
import { createRefusals } from '../simulator/workspace/refusals.ts'
import { createResponseUrls } from '../simulator/app/response-urls.ts'
import { CHANNELS, PEOPLE, TEAM } from '../simulator/workspace/seeds.ts'
import { createStepRuns } from '../simulator/workspace/step-runs.ts'
import { createTriggers } from '../simulator/app/triggers.ts'
import { createViews } from '../simulator/workspace/views.ts'
import type { SimulatedWorkspaceOptions } from './workspace-options.ts'

/** Makes a workspace's parts, with the first messages in its channels. */
export function assembleParts(
  options: SimulatedWorkspaceOptions,
  changed: () => void,
  baseUrl: () => string,
): Parts {
  const { signingSecret, botToken, now = Date.now, team = TEAM } = options
  const manifest = readManifest(options.manifest)
  const grants = options.oauth?.grants ?? createGrants({ now })
  if (botToken !== undefined) {
    const scopes = new Set(options.scopes ?? manifest.oauth_config.scopes.bot)
    grants.configure(botToken, { team, scopes, userId: PEOPLE[0].id })
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
  const readContent = createContentReader(refusals, (file) => files.fault(file))
  const hooksUrl = (): string => `${baseUrl()}/hooks`
  const app = createAppConnection({
    team,
    signingSecret,
    now,
    ackTimeoutMs: options.ackTimeoutMs ?? 3000,
  })
  seedMessages(messages, clock)
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
    grants,
    baseUrl,
  }
}

function seedMessages(messages: Messages, clock: Clock): void {
  for (const { id, messages: seeds } of CHANNELS) {
    for (const { by, text } of seeds) {
      messages.add(id, {
        ts: clock.ts(),
        author: { kind: 'person', id: by },
        text: asMrkdwn(text),
        files: [],
        ephemeral: false,
        edited: false,
      })
    }
  }
}
