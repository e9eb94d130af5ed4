import type { FastifyRequest } from 'fastify'

/** A form's fields as texts; of a field that came several times, the last one. */
export function formValues(request: FastifyRequest): Record<string, string> {
  const body = (request.body ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const text: unknown = Array.isArray(value) ? value.at(-1) : value
      return typeof text === 'string' ? [[name, text.trim()]] : []
    }),
  )
}

/** All values of a field that may come several times. */
export function formList(request: FastifyRequest, name: string): string[] {
  const value = ((request.body ?? {}) as Record<string, unknown>)[name]
  return [value].flat().filter((text) => typeof text === 'string')
}
