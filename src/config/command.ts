export const DEFAULT_COMMAND = '/shorten'

/**
 * The slash command of this deployment. Texts that name it are built when they are shown, so that they have the name that
 * was set at the start.
 */
export let COMMAND = DEFAULT_COMMAND

/** Sets the command's name, before anything else starts. */
export function setCommand(name: string): void {
  COMMAND = name
}
