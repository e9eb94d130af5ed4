import { h, type ComponentChildren } from 'preact'
import { object, string } from '../../shared/json.ts'
import { withEmoji } from '../mrkdwn/emoji.ts'
import { Mrkdwn } from '../mrkdwn/render.ts'

/** A text object: mrkdwn, or plain text with the names of emoji. */
export function text(value: unknown): ComponentChildren {
  const { type, text: content } = object(value)
  return type === 'mrkdwn' ? h(Mrkdwn, { text: string(content) }) : plain(value)
}

/** The words of a text object that is always plain. */
export function plain(value: unknown): string {
  return withEmoji(string(object(value).text))
}
