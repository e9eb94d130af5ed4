import type { FastifyInstance } from 'fastify'

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
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    const why = code === 'EACCES' ? 'may not be used' : 'is in use already'
    throw new Error(`Port ${port} on ${host} ${why}. Choose another with ${variable}.`, {
      cause: error,
    })
  }
}
