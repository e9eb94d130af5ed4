/** Marked up as Slack does it, `<https://…|label>`, or bare, where nobody has marked it up. */
const MARKED_OR_BARE = /<([^<>]*)>|https?:\/\/[^\s<>"`]+/gi

/**
 * The http and https URLs of a text in Slack's mrkdwn, in their order. Labels, mentions, channels
 * and mail addresses are none.
 */
export function urlsInMrkdwn(text: string): string[] {
  return [...text.matchAll(MARKED_OR_BARE)].flatMap(([whole, marked]) => {
    const url = marked === undefined ? withoutPunctuation(whole) : marked.replace(/\|.*$/s, '')
    return isWebUrl(url) ? [unescaped(url)] : []
  })
}

/** The bare URLs of a text without any markup: what rich text keeps apart from its links. */
export function urlsInPlainText(text: string): string[] {
  return (text.match(/https?:\/\/[^\s<>"`]+/gi) ?? []).map(withoutPunctuation)
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** What ends the sentence, or the bracket around the URL, is not the URL's. */
function withoutPunctuation(url: string): string {
  let kept = url
  for (;;) {
    const last = kept.at(-1) ?? ''
    const opens = { ')': '(', ']': '[', '}': '{' }[last]
    const closesMore = opens && kept.split(last).length > kept.split(opens).length
    if (!closesMore && !/[.,;:!?'*_~…”’»]/.test(last)) return kept
    kept = kept.slice(0, -1)
  }
}

/** Slack escapes these three, and no more. */
function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
