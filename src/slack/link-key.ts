import { createHash } from 'node:crypto'

/** What an option's value has room for, beside what was chosen. */
const KEY_LENGTH = 64

/** By which a menu names a link: its `name`, or the hash of one that is too long for a menu. */
export function linkKey(name: string): string {
  return name.length <= KEY_LENGTH ? name : createHash('sha256').update(name).digest('hex')
}
