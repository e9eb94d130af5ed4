import type { AppConnection } from './app-connection.ts'
import type { Clock } from './clock.ts'
import type { Conversations } from './conversations.ts'
import type { Events } from './events.ts'
import type { Files } from './files.ts'
import type { Grants } from './grants.ts'
import type { Manifest } from './manifest.ts'
import type { ReadContent } from './message-content.ts'
import type { Messages } from './messages.ts'
import type { Refusals } from './refusals.ts'
import type { ResponseUrls } from './response-urls.ts'
import type { StepRuns } from './step-runs.ts'
import type { Team } from './team.ts'
import type { Triggers } from './triggers.ts'
import type { Views } from './views.ts'

/** What a simulated workspace is made of. */
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
  /** The workspace that this is. */
  team: Team
  /** What the app may call with. */
  grants: Grants
  /** Where the simulation is served, without a slash at the end. */
  baseUrl: () => string
}
