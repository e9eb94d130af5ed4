import type { ModalView } from '@slack/types'
import { WebClient, type WebClientOptions } from '@slack/web-api'

/** Opens modals. Never tried twice: a `trigger_id` works once, and is dead after 3 s. */
export interface ViewOpener {
  /** @returns the view's id */
  open(token: string, triggerId: string, view: ModalView): Promise<string>
  /** Lays a modal on the one that was clicked in; at most three lie on one another. */
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
      await client.views.push({ token, trigger_id: triggerId, view })
    },
  }
}
