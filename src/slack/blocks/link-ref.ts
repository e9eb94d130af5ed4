import { cut, LIMITS } from './limits.ts'

/** What a button must remember of a link, to show it again without asking the service. */
export interface LinkRef {
  shortUrl: string
  destination: string
  title?: string
  /** `#RRGGBB`; absent where no QR code was wanted. */
  qrColor?: string
}

/** A button's value has room for this much of a destination or a title, and for the rest. */
const SHORTENED = 300

/** A button's value; undefined where a service's short URL leaves no room, and so no button. */
export function encodeLinkRef({
  shortUrl,
  destination,
  title,
  qrColor,
}: LinkRef): string | undefined {
  const json = JSON.stringify([
    shortUrl,
    cut(destination, SHORTENED),
    cut(title ?? '', SHORTENED),
    qrColor ?? '',
  ])
  return json.length > LIMITS.buttonValue ? undefined : json
}
