import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test as base } from 'vitest'
import { startApp, type AppOptions, type TestApp } from './app.ts'
import { startAppElsewhere, type ElsewhereOptions } from './app-elsewhere.ts'
import { signedIn, type DashboardBrowser } from './dashboard.ts'
import { describeOnDatabase, describeOnEveryDatabase, type TestDatabase } from './databases.ts'
import { created } from './fake-link-service.ts'
import { freePort } from './free-port.ts'
import { outcomeOf, runMain } from './program.ts'
import { startService, type RunningService, type StartOptions } from './service.ts'
import { createTestSettings } from './settings.ts'
import { makeTempDir } from './temp-dir.ts'
import type { TestWorkspace } from './workspace.ts'

/*
 * What the tests of a file share. Each function returns the file's `test` and what it starts, for the tests and their
 * helpers. Nothing is started before the first test. To prepare something for all tests, name the fixture, as in
 * `test.beforeAll(async ({ app }) => …)`.
 */

/** Started once for the first test of a file, and stopped after the last. */
const PER_FILE = { scope: 'file', auto: true } as const

const PER_TEST = { auto: true } as const

/** Tests with an empty directory for each. `at` is the path of a file in it. */
export function withDirectory() {
  const [directory, setDirectory] = createHandle<{ path: string }>()
  const test = base.extend('directory', PER_TEST, async ({}, { onCleanup }) => {
    const made = await makeTempDir()
    onCleanup(() => made.remove())
    return setDirectory(made)
  })
  return { test, directory, at: (name: string) => join(directory.path, name) }
}

/**
 * Tests that run the program in an empty directory, which is its working directory. A test that ends kills what it
 * started.
 */
export function withProgram() {
  const { test, directory, at } = withDirectory()
  const run = (args: readonly string[], env: Record<string, string> = {}) => {
    const child = runMain(args, { cwd: directory.path, env })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  const outcome = (args: readonly string[], env?: Record<string, string>) =>
    outcomeOf(run(args, env))
  return { test, directory, at, run, outcome }
}

/** Free ports for the app and its link service, as variables of the environment. */
export async function freePorts(): Promise<{ PORT: string; SERVICE_PORT: string }> {
  return { PORT: String(await freePort()), SERVICE_PORT: String(await freePort()) }
}

/** Tests with a real link service on loopback. `service.apiKey` is its owner's key. */
export function withService(options?: StartOptions) {
  const [service, setService] = createHandle<RunningService>()
  const test = base.extend('service', PER_FILE, async ({}, { onCleanup }) => {
    const started = await startService(options)
    onCleanup(() => started.close())
    return setService(started)
  })
  return { test, service }
}

/** The same with a browser in which an admin has signed in to the dashboard. */
export function withDashboard(options?: StartOptions) {
  const { test: withoutBrowser, service } = withService(options)
  const [browser, setBrowser] = createHandle<DashboardBrowser>()
  const test = withoutBrowser.extend('browser', PER_FILE, async ({ service }) =>
    setBrowser(await signedIn(service, options?.now)),
  )
  return { test, service, browser }
}

type DeclareServiceTests = (service: RunningService, browser: DashboardBrowser) => void

/** Declares tests for a link service on SQLite, and in a full run also on PostgreSQL. */
export function describeService(declareTests: DeclareServiceTests, options?: StartOptions): void {
  describeOnDatabase((opened) => declareOn(opened, declareTests, options))
}

/** Declares tests for a link service on both databases, because the SQL or the code differs between them. */
export function describeServiceOnEveryDatabase(
  declareTests: DeclareServiceTests,
  options?: StartOptions,
): void {
  describeOnEveryDatabase((opened) => declareOn(opened, declareTests, options))
}

function declareOn(
  opened: TestDatabase,
  declareTests: DeclareServiceTests,
  options: StartOptions = {},
): void {
  const [service, setService] = createHandle<RunningService>()
  const [browser, setBrowser] = createHandle<DashboardBrowser>()
  beforeAll(async () => {
    const started = setService(await startService({ ...options, databaseUrl: opened.url }))
    setBrowser(await signedIn(started, options.now))
    return () => started.close()
  })
  declareTests(service, browser)
}

/**
 * Tests with the whole app and its own link service, in front of a simulated workspace. After each test, all modals are
 * closed, and Slack must have accepted everything that the app sent. A test that expects refusals takes them
 * (`slack.takeRefusals`).
 */
export function withApp(options?: AppOptions) {
  return withStarted(() => startApp(options))
}

/** The same with a link service that answers as the test says. Each test begins with the answers of the options. */
export function withAppElsewhere(options: ElsewhereOptions = {}) {
  const { test, app, ...parts } = withStarted(() => startAppElsewhere(options))
  return {
    ...parts,
    app,
    service: handleOf(() => app.service),
    test: test.extend('reset', PER_TEST, ({ app }) => {
      app.service.received.length = 0
      app.service.answers(options.answers ?? (() => created()))
    }),
  }
}

/** @param start starts the app. Use it for an app that needs more than options */
export function withStarted<A extends TestApp>(start: () => Promise<A>) {
  const [app, setApp] = createHandle<A>()
  const slack = handleOf(() => app.slack)
  const settings = createTestSettings(() => app.databaseUrl)
  const test = base
    .extend('app', PER_FILE, async ({}, { onCleanup }) => {
      const started = await start()
      onCleanup(async () => {
        await settings.close()
        await started.stop()
      })
      return setApp(started)
    })
    .extend('accepted', PER_TEST, ({ app }, { onCleanup }) => {
      onCleanup(async () => {
        const { ana, ben, gil, takeRefusals } = app.slack
        for (const person of [ana, ben, gil]) await person.closesAll()
        expect(takeRefusals()).toEqual([])
      })
    })
  const [ana, ben, gil] = [
    handleOf(() => slack.ana),
    handleOf(() => slack.ben),
    handleOf(() => slack.gil),
  ]
  const until: TestWorkspace['until'] = (condition) => slack.until(condition)
  return { test, app, slack, ana, ben, gil, until, settings }
}

/** A proxy for an object that is started later. It passes each access on to the object that was set last. */
function createHandle<T extends object>(): [value: T, set: (value: T) => T] {
  let current: T | undefined
  const value = handleOf(() => {
    if (!current) throw new Error('This is started for the first test. Use it in a test.')
    return current
  })
  return [value, (next) => (current = next)]
}

function handleOf<T extends object>(current: () => T): T {
  return new Proxy({} as T, { get: (_target, name) => Reflect.get(current(), name) as unknown })
}
