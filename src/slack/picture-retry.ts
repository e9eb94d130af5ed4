import { setTimeout as sleep } from 'node:timers/promises'
import type { QrPicture } from './blocks/qr-image.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Pauses after Slack refused a file that it is still processing, in milliseconds. */
const FILE_RETRY_MS = [300, 1_000, 2_000]

/**
 * Shows something with a QR picture. Slack refuses an uploaded file until it has processed it, so
 * that is tried again a few times; in the end it is shown without the picture.
 */
export async function showWithPicture(
  picture: QrPicture | undefined,
  show: (picture: QrPicture | undefined) => Promise<void>,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  for (const ms of picture ? pausesFor(picture) : []) {
    try {
      await show(picture)
      return
    } catch (error) {
      if (!isInvalidBlocks(error)) throw error
      await pause(ms)
    }
  }
  await show(undefined)
}

/** One attempt for each pause: a picture by address is there at once, or can't be fetched. */
function pausesFor(picture: QrPicture): readonly number[] {
  return 'slack_file' in picture ? FILE_RETRY_MS : [0]
}

/** Slack's word for a `slack_file` that it has not processed yet, among other faults of blocks. */
export function isInvalidBlocks(error: unknown): boolean {
  return slackErrorCode(error)?.startsWith('invalid_blocks') === true
}
