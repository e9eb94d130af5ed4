import type { Ack } from '../app/app-connection.ts'

/** What a modal shows if the app does not answer properly. */
export const MODAL_TROUBLE = 'We had some trouble connecting. Try again?'

/** What Slack shows if a slash command fails; undefined if it succeeds. */
export function commandFailure(command: string, ack: Ack): string | undefined {
  switch (ack.kind) {
    case 'answered':
      return undefined
    case 'timeout':
      return `${command} failed with the error "operation_timeout"`
    case 'failed':
    case 'unreachable':
      return `${command} failed with the error "dispatch_failed"`
  }
}

/** What Slack shows if a button, menu or shortcut fails; undefined if it succeeds. */
export function interactionFailure(appName: string, ack: Ack): string | undefined {
  switch (ack.kind) {
    case 'answered':
      return undefined
    case 'timeout':
      return `${appName} did not respond.`
    case 'failed':
      return `${appName} responded with the status code ${ack.status}.`
    case 'unreachable':
      return `${appName} could not be reached.`
  }
}
