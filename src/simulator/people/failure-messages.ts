import type { Ack } from '../app/app-connection.ts'

/** What a modal says when the app did not answer as it should. */
export const MODAL_TROUBLE = 'We had some trouble connecting. Try again?'

/** What Slack says of a slash command that went wrong; undefined for one that went well. */
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

/** What Slack says of a button, menu or shortcut that went wrong; undefined where all is well. */
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
