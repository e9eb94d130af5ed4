import { countCharacters } from './link-fields.ts'

export const MAX_TAGS = 10
const MAX_TAG_LENGTH = 40

// Default-ignorable characters (DI), such as a zero-width space, are invisible, so two tags could look the same.
const TAG = /^[[\p{L}\p{Nd}_\-]--\p{DI}][[\p{L}\p{M}\p{Nd}_\- ]--\p{DI}]*$/v

const COMMAS = /[,،、，]/

/** `Spring Sale` → `spring sale`. Two spellings with the same key are the same tag. */
export function tagKey(name: string): string {
  // Normalized again, because H̱ has two code points even in NFC, but its lower case ẖ has one.
  return tidy(name).toLowerCase().normalize('NFC')
}

/** The key by which a report groups names: `Spring_Sale`, `Spring-sale` and `spring sale` → `spring-sale`. */
export function nameKey(name: string): string {
  return tagKey(name).replaceAll(/[ _-]+/g, '-')
}

export function nearestNames(name: string, names: readonly string[]): string[] {
  const pairs = letterPairs(name)
  const candidates = names.map((candidate) => {
    const candidatePairs = letterPairs(candidate)
    // The Sørensen–Dice coefficient, from 0 (no pair of letters in common) to 1.
    const shared = pairs.intersection(candidatePairs).size
    return { candidate, similarity: (2 * shared) / (pairs.size + candidatePairs.size) }
  })
  return candidates
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, MAX_NEAREST)
    .map(({ candidate }) => candidate)
}

export const MAX_NEAREST = 3
const MIN_SIMILARITY = 0.5

function letterPairs(name: string): Set<string> {
  const letters = `-${nameKey(name.slice(0, 40))}-`
  return new Set(
    Array.from({ length: letters.length - 1 }, (_, index) => letters.slice(index, index + 2)),
  )
}

function tidy(name: string): string {
  return name.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}

/** Parses `#print, spring` and sorts the tags by their keys. The first of several spellings of a tag is kept. */
export function parseTags(text: string): string[] {
  const names = text.split(COMMAS).map((name) => tidy(name.replace(/^\s*#/, '')))
  const spellings = Map.groupBy(names.filter(Boolean), tagKey)
  return [...spellings.keys()].sort().flatMap((key) => spellings.get(key)?.[0] ?? [])
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
