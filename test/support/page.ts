import type { Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import type { SlackJson } from '../../src/simulator/protocol.ts'
import { browserFixtures, browserIsMissing } from './browser.ts'
import { startRecordingApp, type Recorded } from './recording-app.ts'
import { webClient } from './web-client.ts'
import { startSimulatedWorkspace } from './workspace.ts'

/** The playground's page, with the parts of it that tests use. */
export interface OpenPage {
  page: Page
  composer: Locator
  dialog: Locator
  /** Writes into the conversation that is open, and sends it. */
  says: (text: string) => Promise<void>
}

/**
 * A test of the playground's page: `slack` is the workspace behind it, `app` an app that answers
 * what the test says, `web` how it calls Slack, `open` opens the page. Everything is stopped at
 * the end, and an error in the page fails the test.
 */
export const pageTest = browserFixtures
  .extend('slack', async ({}, { onCleanup }) => {
    const slack = await startSimulatedWorkspace()
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
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => {
      // That a server can't be reached is what some tests are about.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
        faults.push(message.text())
      }
    })
    onCleanup(() => {
      if (faults.length > 0) throw new Error(`errors in the page:\n${faults.join('\n')}`)
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
  .skipIf(browserIsMissing)

/** Waits until an element has the focus. */
export function focusOn(element: Locator): Promise<void> {
  return element.and(element.page().locator(':focus')).waitFor()
}

/** The first request to the app that is like this, once it is there. */
export function requestWith(
  app: { requests: Recorded[] },
  fields: Record<string, unknown>,
): Promise<Recorded['body']> {
  return vi.waitFor(
    () => {
      const found = app.requests.find(({ body }) =>
        Object.entries(fields).every(([name, value]) => body[name] === value),
      )
      if (!found) throw new Error(`the app has not been sent ${JSON.stringify(fields)}`)
      return found.body
    },
    { timeout: 5000, interval: 20 },
  )
}

export function plainText(text: string) {
  return { type: 'plain_text' as const, text }
}

/** A modal around these blocks. */
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

/** An input block whose block_id is its label in lower case. */
export function input(label: string, element: SlackJson, more: SlackJson = {}): SlackJson {
  return {
    type: 'input',
    block_id: label.toLowerCase(),
    label: plainText(label),
    element: { action_id: 'input', ...element },
    ...more,
  }
}
