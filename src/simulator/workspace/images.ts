export type FetchImage = (url: URL, options: { signal: AbortSignal }) => Promise<Response>

/** Our own limit, because Slack documents none. */
const TIMEOUT_MS = 2_500

const TYPES = /^image\/(?:png|jpeg|gif)\b/

/** Hosts of this machine or its network. Slack fetches images itself, and can't reach these hosts. */
const UNREACHABLE =
  /^(?:localhost|.*\.(?:localhost|local|internal)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|169\.254\..*|\[.*\])$/i

const LOOPBACK = /^(?:localhost|.*\.localhost|127\..*|\[::1\])$/i

/** Fetches images as Slack does. By default, requests only images on this machine, and others count as loaded. */
export function createImages({
  reachesLoopback = false,
  fetchImage = async (url, options) =>
    LOOPBACK.test(url.hostname)
      ? fetch(url, { ...options, redirect: 'error' })
      : new Response(null, { headers: { 'content-type': 'image/png' } }),
}: {
  reachesLoopback?: boolean
  fetchImage?: FetchImage
}) {
  const loaded = new Set<string>()

  async function load(imageUrl: string): Promise<void> {
    const url = URL.parse(imageUrl)
    if (!url || loaded.has(imageUrl)) return
    const isAllowed = reachesLoopback && LOOPBACK.test(url.hostname)
    if (UNREACHABLE.test(url.hostname) && !isAllowed) return
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetchImage(url, { signal }).catch(() => undefined)
    await response?.body?.cancel()
    const type = response?.headers.get('content-type') ?? ''
    if (response?.ok && TYPES.test(type)) loaded.add(imageUrl)
  }

  return {
    async loadIn(sent: unknown): Promise<void> {
      await Promise.all(imageUrls(sent).map(load))
    },
    check: (url: string) => (loaded.has(url) ? undefined : 'downloading image failed'),
  }
}

/** Finds every `image_url`, also in an argument that is a JSON string, in which quotes are escaped. */
function imageUrls(sent: unknown): string[] {
  const matches = JSON.stringify(sent ?? null).matchAll(/image_url\\*":\\*"([^"\\]+)/g)
  return [...matches].map(([, url = '']) => url)
}
