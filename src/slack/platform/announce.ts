import type { WebClient } from '@slack/web-api'
import { textMessage } from '../block-kit/elements.ts'
import type { Field } from '../block-kit/fields.ts'
import { SlackInputError } from './field-errors.ts'
import { isRefusal } from './slack-errors.ts'

/**
 * Says in a channel what will be posted there, which shows that Backhalf can post there.
 *
 * @throws SlackInputError at the field if it can't
 */
export async function announce(
  client: WebClient,
  { channel, text, field }: { channel: string; text: string; field: Field },
): Promise<void> {
  await client.chat.postMessage({ channel, ...textMessage(text) }).catch((cause: unknown) => {
    if (!isRefusal(cause)) throw cause
    const message =
      'Backhalf can’t post in this channel yet. Type /invite @Backhalf there, then save again. If that doesn’t help, choose another channel.'
    throw new SlackInputError([{ field, message }], { cause })
  })
}
