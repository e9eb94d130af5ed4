import type { LinkField } from './link-fields.ts'

export function eachField<Name extends LinkField, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>
}

export function someFields<Name extends LinkField, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value | undefined,
): Partial<Record<Name, Value>> {
  const values = names.map((name) => [name, valueOf(name)] as const)
  const defined = values.filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as Partial<Record<Name, Value>>
}
