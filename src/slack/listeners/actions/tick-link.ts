import type { ActionArgs } from './action-args.ts'

/** A link was ticked, or no longer: that goes with the form, and Slack asks for an answer only. */
export const tickLink = async ({ ack }: ActionArgs): Promise<void> => {
  await ack()
}
