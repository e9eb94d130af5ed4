/** A QR code, and where each of its modules is on a square image. */
export interface Drawing {
  /** The modules row by row: 1 has the color, 0 is white. */
  modules: { size: number; data: Uint8Array }
  /** The width of a module in pixels. Scanners miss some codes whose modules differ in width. */
  scale: number
  /** The distance of the first module from the left and from the top, in pixels. */
  offset: number
  /** Width and height in pixels. */
  size: number
  /** `#RRGGBB` */
  color: string
}
