import { IMAGE_ERROR, isOnInternet, isOnLoopback, type CheckImage } from '../block-kit/check.ts'

export type FetchImage = (url: URL, options: { signal: AbortSignal }) => Promise<Response>

/** How long an image may take to load, in milliseconds. Slack documents no limit. */
const TIMEOUT_MS = 2_500

/** The images that Slack shows, by their media type: not SVG or WebP. */
const TYPES = /^image\/(?:png|jpeg|gif)\b/

export type Images = ReturnType<typeof createImages>

/**
 * The images that Slack has fetched. It keeps an image, and fetches its URL no second time.
 *
 * @param options.reachesLoopback whether this Slack fetches images from this machine
 * @param options.fetchImage by default, images elsewhere count as loaded without a request
 */
export function createImages({
  reachesLoopback,
  fetchImage = async (url, options) =>
    isOnLoopback(url)
      ? fetch(url, { ...options, redirect: 'error' })
      : new Response(null, { headers: { 'content-type': 'image/png' } }),
}: {
  reachesLoopback: boolean
  fetchImage?: FetchImage | undefined
}) {
  const loaded = new Set<string>()

  async function load(imageUrl: string): Promise<void> {
    const url = URL.parse(imageUrl)
    const isReachable = url && (isOnInternet(url) || (reachesLoopback && isOnLoopback(url)))
    if (!isReachable || loaded.has(imageUrl)) return
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetchImage(url, { signal }).catch(() => undefined)
    await response?.body?.cancel()
    const type = response?.headers.get('content-type') ?? ''
    if (response?.ok && TYPES.test(type)) loaded.add(imageUrl)
  }

  return {
    /** Fetches the images in what the app sends, before it is checked. */
    async loadIn(sent: unknown): Promise<void> {
      await Promise.all(imageUrls(sent).map(load))
    },
    check: ((url) => (loaded.has(url) ? undefined : IMAGE_ERROR)) satisfies CheckImage,
  }
}

/** Every `image_url`, also in an argument that is JSON text, in which quotes are escaped. */
function imageUrls(sent: unknown): string[] {
  const found = JSON.stringify(sent ?? null).matchAll(/image_url\\*":\\*"([^"\\]+)/g)
  return [...found].map(([, url = '']) => url)
}
