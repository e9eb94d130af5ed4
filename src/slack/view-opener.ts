import type { ModalView } from '@slack/types'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { slackErrorCode } from './slack-error-code.ts'

/** Opens modals. Never tried twice: a `trigger_id` works once, and is dead after 3 s. */
export interface ViewOpener {
  /** @returns the view's id */
  open(token: string, triggerId: string, view: ModalView): Promise<string>
  /**
   * Lays a modal on the one that was clicked in. At most three lie on one another: what an impatient
   * second click would lay on them is left out, as the same one is there already.
   */
  push(token: string, triggerId: string, view: ModalView): Promise<void>
}

export function createViewOpener(options: WebClientOptions): ViewOpener {
  const client = new WebClient(undefined, { ...options, retryConfig: { retries: 0 } })
  return {
    async open(token, triggerId, view) {
      const opened = await client.views.open({ token, trigger_id: triggerId, view })
      return opened.view?.id ?? ''
    },
    async push(token, triggerId, view) {
      await client.views.push({ token, trigger_id: triggerId, view }).catch((error: unknown) => {
        if (slackErrorCode(error) !== 'push_limit_reached') throw error
      })
    },
  }
}
