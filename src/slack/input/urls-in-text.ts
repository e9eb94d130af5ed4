import { unescaped } from './unescaped.ts'

/** What a URL that nobody has marked up goes on with: no quote, and no punctuation of East Asia. */
const IN_URL = '[^\\s<>"`“”„«»。、，！？（）「」『』【】]'

const BARE = new RegExp(`https?://${IN_URL}+`, 'gi')

/** Marked up as Slack does it, `<https://…|label>`, or bare up to an escaped angle bracket. */
const MARKED_OR_BARE = new RegExp(`<([^<>]*)>|https?://(?:(?!&[lg]t;)${IN_URL})+`, 'gi')

/**
 * The http and https URLs of a text in Slack's mrkdwn, in their order. Labels, mentions, channels
 * and mail addresses are none.
 */
export function urlsInMrkdwn(text: string): string[] {
  return [...text.matchAll(MARKED_OR_BARE)].flatMap(([whole, marked]) => {
    if (marked === undefined) return [withoutPunctuation(unescaped(whole))]
    const url = unescaped(marked.replace(/\|.*$/s, ''))
    return isWebUrl(url) ? [url] : []
  })
}

/** The bare URLs of a text without any markup: what rich text keeps apart from its links. */
export function urlsInPlainText(text: string): string[] {
  return (text.match(BARE) ?? []).map(withoutPunctuation)
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** What ends the sentence, or the bracket around the URL, is not the URL's. */
function withoutPunctuation(url: string): string {
  /** How many brackets it closes without having opened them. */
  const closed = new Map(
    ['()', '[]', '{}'].map(([open = '', close = '']) => [
      close,
      url.split(close).length - url.split(open).length,
    ]),
  )
  let end = url.length
  for (; end > 0; end--) {
    const last = url.charAt(end - 1)
    const unopened = closed.get(last) ?? 0
    if (unopened > 0) closed.set(last, unopened - 1)
    else if (!/[.,;:!?'*_~…‘’‹›\p{Cf}]/u.test(last)) break
  }
  return url.slice(0, end)
}
