/** Two names of templates that people would take for one are one. */
export function isSameName(one: string, other: string): boolean {
  return comparable(one) === comparable(other)
}

function comparable(name: string): string {
  return name.trim().replace(/\s+/g, ' ').normalize('NFKC').toLowerCase()
}
