import type { FastifyInstance } from 'fastify'

/** How long requests under way may take to end before their connections are cut, in milliseconds. */
const GRACE_MS = 3_000

/**
 * Listens, and says where.
 *
 * @param variable the environment variable that chooses the port, for the error's words
 * @throws an Error that says what to do where the port can't be had
 */
export async function listen(
  server: FastifyInstance,
  host: string,
  port: number,
  variable: string,
): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (error) {
    throw portError(error, host, port, variable)
  }
}

/** The words for a port that can't be had; any other error stays what it is. */
export function portError(error: unknown, host: string, port: number, variable: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error
  const why = code === 'EACCES' ? 'may not be used' : 'is in use already'
  const words = `Port ${port} on ${host} ${why}. Choose another with ${variable}.`
  return new Error(words, { cause: error })
}

/** Takes no more requests, and resolves when those under way have ended, or had their time. */
export async function close(server: FastifyInstance): Promise<void> {
  server.server.keepAliveTimeout = 1 // No waiting for another request on a connection.
  const timer = setTimeout(() => server.server.closeAllConnections(), GRACE_MS)
  try {
    await server.close()
  } finally {
    clearTimeout(timer)
  }
}
