const MAX_NAME_LENGTH = 100

/**
 * Collects the errors of the fields in a request or a form. Clients choose the names of fields, so long ones are cut.
 */
export class FieldErrors {
  readonly #messages = new Map<string, string[]>()

  add(field: string, message: string): void {
    const name = field.slice(0, MAX_NAME_LENGTH)
    const earlier = this.#messages.get(name) ?? []
    if (!earlier.includes(message)) this.#messages.set(name, [...earlier, message])
  }

  has(field: string): boolean {
    return this.#messages.has(field)
  }

  isEmpty(): boolean {
    return this.#messages.size === 0
  }

  lists(): Record<string, string[]> {
    return Object.fromEntries(this.#messages)
  }

  texts(): Record<string, string> {
    return Object.fromEntries([...this.#messages].map(([name, texts]) => [name, texts.join(' ')]))
  }
}
