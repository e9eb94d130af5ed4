import type { WebClient } from '@slack/web-api'
import { afterEach, beforeEach } from 'vitest'
import { startRecordingApp, type RecordingApp } from './recording-app.ts'
import { webClient } from './web-client.ts'
import { startSimulatedWorkspace, type TestWorkspace, type WorkspaceOptions } from './workspace.ts'

/**
 * Starts a simulated workspace for each test of a file, with an app that answers as the test says, and closes them after
 * the test. All three are new for each test, from its `beforeEach` on. The workspace knows the app if `connects`.
 *
 * @param options.ackTimeout by default, a test decides when the app’s time is up (`app.ackTimeout`)
 */
export function slackForEach({
  connects = true,
  ...options
}: WorkspaceOptions & { connects?: boolean } = {}): {
  slack: TestWorkspace
  app: RecordingApp
  /** The app’s client. */
  client: WebClient
} {
  const slack = {} as TestWorkspace
  const app = {} as RecordingApp
  const client = Object.create(null) as WebClient
  beforeEach(async () => {
    // Every member is found in what was started for this test.
    Object.setPrototypeOf(app, await startRecordingApp())
    const { ackTimeout } = app
    Object.setPrototypeOf(slack, await startSimulatedWorkspace({ ackTimeout, ...options }))
    Object.setPrototypeOf(client, webClient(slack.apiUrl))
    if (connects) slack.connectApp(app.eventsUrl)
  })
  afterEach(async () => {
    await slack.close()
    await app.close()
  })
  return { slack, app, client }
}
