import { cut, LIMITS } from './limits.ts'

/** What a button must remember of a link, to show it again without asking the service. */
export interface LinkRef {
  shortUrl: string
  /** Ends in an ellipsis where it is not whole. */
  destination: string
  title?: string
  /** `#RRGGBB`; absent where no QR code was wanted. */
  qrColor?: string
}

/** Where a button's value has no room for all of a link, this much of its texts is kept. */
const SHORTENED = 300

/** A button's value; undefined where a service's short URL leaves no room, and so no button. */
export function encodeLinkRef(ref: LinkRef): string | undefined {
  const { destination, title } = ref
  const short = {
    ...ref,
    destination: cut(destination, SHORTENED),
    title: cut(title ?? '', SHORTENED),
  }
  return [ref, short].map(toJson).find((json) => json.length <= LIMITS.buttonValue)
}

function toJson({ shortUrl, destination, title, qrColor }: LinkRef): string {
  return JSON.stringify([shortUrl, destination, title ?? '', qrColor ?? ''])
}
