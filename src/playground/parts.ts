import type { AppConnection } from '../simulator/app/app-connection.ts'
import type { Clock } from '../simulator/workspace/clock.ts'
import type { Conversations } from '../simulator/workspace/conversations.ts'
import type { Events } from '../simulator/app/events.ts'
import type { Files } from '../simulator/workspace/files.ts'
import type { Grants } from './grants.ts'
import type { Manifest } from '../simulator/manifest.ts'
import type { ReadContent } from './message-content.ts'
import type { Messages } from '../simulator/workspace/messages.ts'
import type { Refusals } from '../simulator/workspace/refusals.ts'
import type { ResponseUrls } from '../simulator/app/response-urls.ts'
import type { StepRuns } from '../simulator/workspace/step-runs.ts'
import type { Team } from '../simulator/app/team.ts'
import type { Triggers } from '../simulator/app/triggers.ts'
import type { Views } from '../simulator/workspace/views.ts'

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
