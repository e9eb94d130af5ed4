import { countCharacters } from './link-fields.ts'

export const MAX_TAGS = 10
const MAX_TAG_LENGTH = 40

const TAG = /^[[\p{L}\p{Nd}_\-]--\p{DI}][[\p{L}\p{M}\p{Nd}_\- ]--\p{DI}]*$/v

const COMMAS = /[,،、，]/

/** Returns the key of a tag: `Spring Sale` → `spring sale`. Two spellings with the same key are the same tag. */
export function tagKey(name: string): string {
  // Composed again, because H̱ consists of two characters, and its lower case ẖ of one.
  return tidy(name).toLowerCase().normalize('NFC')
}

/**
 * Returns the key of a name in a report. It is the same for all spellings: `Spring_Sale`, `spring sale` and
 * `spring-sale` → `spring-sale`.
 */
export function nameKey(name: string): string {
  return tagKey(name).replaceAll(/[ _-]+/g, '-')
}

export function nearestNames(name: string, names: readonly string[]): string[] {
  const wanted = letterPairs(name)
  const near = names.flatMap((known) => {
    const pairs = letterPairs(known)
    const likeness = (2 * pairs.intersection(wanted).size) / (pairs.size + wanted.size)
    return likeness >= 0.5 ? { known, likeness } : []
  })
  near.sort((a, b) => b.likeness - a.likeness)
  return near.slice(0, MAX_NEAREST).map(({ known }) => known)
}

export const MAX_NEAREST = 3

function letterPairs(name: string): Set<string> {
  const letters = `-${nameKey(name.slice(0, 40))}-`
  return new Set(
    Array.from({ length: letters.length - 1 }, (_, index) => letters.slice(index, index + 2)),
  )
}

function tidy(name: string): string {
  return name.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}

/**
 * Parses tags that are separated by commas, and returns their names in the order of their keys. If a tag has several
 * spellings, the first one counts. A tag can be written as `#print`, as lists in Slack show it.
 */
export function parseTags(text: string): string[] {
  const typed = text.split(COMMAS).map((name) => tidy(name.replace(/^\s*#/, '')))
  const names = Map.groupBy(typed.filter(Boolean), tagKey)
  return [...names.keys()].sort().flatMap((key) => names.get(key)?.[0] ?? [])
}

export function tagsError(text: string): string | undefined {
  const names = parseTags(text)
  for (const name of names) {
    const key = tagKey(name)
    const shown = `“${Array.from(name).slice(0, MAX_TAG_LENGTH).join('')}”`
    if (!TAG.test(key)) {
      return `${shown} can’t be a tag. Use letters, digits, spaces, - and _, and separate tags with commas.`
    }
    if (countCharacters(key) > MAX_TAG_LENGTH) {
      return `The tag that starts with ${shown} is too long. Use at most ${MAX_TAG_LENGTH} characters.`
    }
  }
  return names.length > MAX_TAGS ? `Use at most ${MAX_TAGS} tags.` : undefined
}

export function tagKeys(text: string): string {
  return parseTags(text).map(tagKey).join()
}
