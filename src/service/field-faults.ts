import { ServiceError } from './service-error.ts'

/** Longest name of an unknown field that an answer repeats, in characters. */
const MAX_NAME_LENGTH = 100

/** Collects what is wrong with a request's fields, so that one answer names all of it. */
export interface FieldFaults {
  add(field: string, message: string): void
  has(field: string): boolean
  /**
   * @throws ServiceError VALIDATION_ERROR if there is any fault; its details have the shape
   *   `{fields: {back_half: ['message', …]}}`
   */
  throwIfAny(): void
}

export function createFieldFaults(): FieldFaults {
  const messages = new Map<string, string[]>()
  return {
    add(field, message) {
      const name = field.slice(0, MAX_NAME_LENGTH)
      const known = messages.get(name) ?? []
      if (!known.includes(message)) messages.set(name, [...known, message])
    },
    has: (field) => messages.has(field),
    throwIfAny() {
      if (messages.size === 0) return
      const names = [...messages.keys()].join(', ')
      throw new ServiceError('VALIDATION_ERROR', `Some fields can’t be accepted: ${names}.`, {
        details: { fields: Object.fromEntries(messages) },
      })
    },
  }
}
