import { imageSize } from 'image-size'
import type { Database } from '../database/database.ts'
import type { Addresses } from './addresses.ts'
import { effectiveDestination } from './store/destination.ts'
import { previewCardPage } from './pages/preview-card.ts'
import { findLink } from './store/links.ts'
import { findPreviewImage } from './store/preview-images.ts'

/** Draws the custom previews of links. */
export interface PreviewCards {
  /** A link's card as an HTML page; undefined where the link is gone, or has nothing to show. */
  draw(linkId: string): Promise<string | undefined>
}

export function createPreviewCards({
  database: { db },
  addresses,
}: {
  database: Database
  addresses: Addresses
}): PreviewCards {
  async function imageOf(linkId: string) {
    const image = await findPreviewImage(db, linkId)
    if (!image) return undefined
    const url = addresses.previewImageUrl(linkId, image.mediaType)
    return { url, type: image.mediaType, ...sizeOf(image.bytes) }
  }

  return {
    async draw(linkId) {
      const link = await findLink(db, linkId)
      if (!link) return undefined
      const { preview_title: title, preview_description: description } = link
      const image = await imageOf(linkId)
      if (title === null && description === null && !image) return undefined
      return previewCardPage({
        title: title ?? link.title ?? new URL(link.destination_url).hostname,
        description: description ?? undefined,
        image,
        shortUrl: addresses.shortUrl(link),
        destination: effectiveDestination(
          link.destination_url,
          link.utm_analytics_enabled === 1 ? link : {},
        ),
      })
    },
  }
}

/** In pixels; nothing where the image does not say. */
function sizeOf(bytes: Uint8Array): { width?: number; height?: number } {
  try {
    const { width, height } = imageSize(bytes)
    return { width: Math.round(width), height: Math.round(height) }
  } catch {
    return {}
  }
}
