export const DEFAULT_COMMAND = '/shorten'

/** The slash command of this deployment (SLACK_COMMAND). Read it in functions: a constant would keep the default. */
export let COMMAND = DEFAULT_COMMAND

export function setCommand(name: string): void {
  COMMAND = name
}
