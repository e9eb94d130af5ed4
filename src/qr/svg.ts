import type { Drawing } from './drawing.ts'

/**
 * Writes a drawing as an SVG image.
 *
 * @param width the width and height to show it at, in pixels; undefined: as large as its place
 */
export function toSvg(
  { modules, scale, offset, size, color }: Drawing,
  width: number | undefined,
): string {
  const shown = width === undefined ? '' : ` width="${width}" height="${width}"`
  const path: string[] = []
  for (let row = 0; row < modules.size; row++) {
    const line = modules.data.subarray(row * modules.size, (row + 1) * modules.size)
    for (let from = line.indexOf(1); from !== -1;) {
      const next = line.indexOf(0, from)
      const to = next === -1 ? modules.size : next
      const length = (to - from) * scale
      path.push(`M${offset + from * scale} ${offset + row * scale}h${length}v${scale}h-${length}z`)
      from = line.indexOf(1, to)
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg"${shown} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#ffffff" d="M0 0h${size}v${size}H0z"/>` +
    `<path fill="${color}" d="${path.join('')}"/></svg>\n`
  )
}
