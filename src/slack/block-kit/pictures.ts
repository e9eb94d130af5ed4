/** A picture that Slack can show: at an address of the app, or uploaded to Slack. */
export type Picture = { image_url: string } | { slack_file: { id: string } }

/**
 * The picture of something shown, or why it is missing: it follows in a moment, or the app may not upload it.
 * Undefined if nothing was asked for, or if the picture can't be shown right now.
 */
export type PictureState = Picture | 'follows' | 'not_allowed' | undefined

export function isPicture(state: PictureState): state is Picture {
  return typeof state === 'object'
}
