/** Whether two values are the same as JSON, in whatever order their members stand. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [first, second] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return (
    first.size === second.size &&
    [...first].every(([name, value]) => second.has(name) && sameJson(value, second.get(name)))
  )
}
