/** A picture that Slack can show: at an address of the app, or uploaded to Slack. */
export type Picture = { image_url: string } | { slack_file: { id: string } }

/**
 * A picture that belongs to something shown, or why there is none: it follows in a moment, or the app may not
 * upload it. Undefined if there is none, or if it can't be shown right now.
 */
export type PictureState = Picture | 'follows' | 'not_allowed' | undefined

export function isPicture(state: PictureState): state is Picture {
  return typeof state === 'object'
}
