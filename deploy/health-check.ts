/*
 * The container's health check: it exits with 0 if Backhalf answers. `start` listens on PORT, and `service` only on
 * SERVICE_PORT.
 */

const { PORT = '3000', SERVICE_PORT = '3001' } = process.env

/** @returns whether the server on this port says that it is healthy; undefined if nothing listens there */
async function isHealthy(port: string): Promise<boolean | undefined> {
  try {
    const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, {
      signal: AbortSignal.timeout(4_000),
    })
    return ok
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    return cause?.code === 'ECONNREFUSED' ? undefined : false
  }
}

const healthy = (await isHealthy(PORT)) ?? (await isHealthy(SERVICE_PORT)) ?? false
process.exitCode = healthy ? 0 : 1
