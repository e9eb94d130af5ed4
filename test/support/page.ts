import type { Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import { playgroundPlugin } from '../../src/playground/open-playground.ts'
import type { SlackJson } from '../../src/simulator/protocol.ts'
import { browserFixtures, browserIsMissing } from './browser.ts'
import { startRecordingApp, type Recorded } from './recording-app.ts'
import { webClient } from './web-client.ts'
import { startSimulatedWorkspace, type TestWorkspace } from './workspace.ts'

/** The id of the first channel. */
export const GENERAL = 'C0GENERAL000'

/** The playground's page, and the parts of it that tests use. */
export interface OpenPage {
  page: Page
  composer: Locator
  dialog: Locator
  /** Sends a message or a command in the open conversation. */
  says: (text: string) => Promise<void>
}

export type OpenView = (view: ReturnType<typeof modal>) => Promise<string>

/** A workspace that also serves the playground's page. */
export async function startWorkspaceWithPage(): Promise<TestWorkspace & { pageUrl: string }> {
  const slack = await startSimulatedWorkspace({}, playgroundPlugin)
  return { ...slack, pageUrl: `${slack.baseUrl}/` }
}

/**
 * A test of the playground's page: `slack` is the workspace behind it, `app` an app that answers
 * as the test says, `web` the app's client for Slack, and `open` opens the page. Everything is
 * closed at the end, and an error in the page fails the test.
 */
export const pageTest = browserFixtures
  .extend('slack', async ({}, { onCleanup }) => {
    const slack = await startWorkspaceWithPage()
    onCleanup(() => slack.close())
    return slack
  })
  .extend('app', async ({ slack }, { onCleanup }) => {
    const app = await startRecordingApp()
    slack.connectApp(app.eventsUrl)
    onCleanup(() => app.close())
    return app
  })
  .extend('web', ({ slack }) => webClient(slack.apiUrl))
  .extend('open', ({ slack, page }, { onCleanup }) => {
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    page.on('console', (message) => {
      // Some tests make the server unreachable on purpose.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
        errors.push(message.text())
      }
    })
    onCleanup(() => {
      if (errors.length > 0) throw new Error(`errors in the page:\n${errors.join('\n')}`)
    })
    return async (): Promise<OpenPage> => {
      await page.goto(slack.pageUrl)
      const composer = page.getByRole('textbox', { name: /^(Message|Type)/ })
      await focusOn(composer)
      return {
        page,
        composer,
        dialog: page.getByRole('dialog'),
        async says(text) {
          await composer.fill(text)
          await composer.press('Enter')
        },
      }
    }
  })
  /** Opens a view for a command in the open page. @returns its id */
  .extend('openView', ({ app, web, page }): OpenView => async (view) => {
    const composer = page.getByRole('textbox', { name: /^(Message|Type)/ })
    app.requests.length = 0
    await composer.fill('/shorten')
    await composer.press('Enter')
    const { trigger_id } = await requestWith(app, { command: '/shorten' })
    const opened = await web.views.open({ trigger_id: String(trigger_id), view })
    return opened.view?.id ?? ''
  })
  .skipIf(browserIsMissing)

/** Waits until an element has the focus. */
export function focusOn(element: Locator): Promise<void> {
  return element.and(element.page().locator(':focus')).waitFor()
}

/** Waits for a request to the app with these fields. @returns its body */
export function requestWith(
  app: { requests: Recorded[] },
  fields: Record<string, unknown>,
): Promise<Recorded['body']> {
  return vi.waitFor(
    () => {
      const found = app.requests.find(({ body }) =>
        Object.entries(fields).every(([name, value]) => body[name] === value),
      )
      if (!found) throw new Error(`the app has received no ${JSON.stringify(fields)}`)
      return found.body
    },
    { timeout: 20_000, interval: 20 },
  )
}

export function plainText(text: string) {
  return { type: 'plain_text' as const, text }
}

export function modal(blocks: SlackJson[], more: SlackJson = {}) {
  return {
    type: 'modal' as const,
    callback_id: 'form',
    title: plainText('A form'),
    submit: plainText('Send'),
    blocks: blocks as never[],
    ...more,
  }
}

/** An input block whose block_id is its label in lowercase. */
export function input(label: string, element: SlackJson, more: SlackJson = {}): SlackJson {
  return {
    type: 'input',
    block_id: label.toLowerCase(),
    label: plainText(label),
    element: { action_id: 'input', ...element },
    ...more,
  }
}
