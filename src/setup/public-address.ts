import { checkPublicAddress } from '../doctor/address-checks.ts'
import type { Result } from '../doctor/check.ts'
import { isLoopbackHostname } from '../http/public-hostname.ts'
import { localAddress, type Port, type Progress } from './ask.ts'

export function shownAddress(progress: Progress, name: Port): string {
  const { host, port } = localAddress(progress, name)
  return `${host}:${port}`
}

export function checkAddress(url: string, progress: Progress, port: Port): Promise<Result[]> {
  const { signal } = progress
  const options = { localAddress: shownAddress(progress, port), isRunning: true, signal }
  return checkPublicAddress(url, options)
}

export function isPublic(url: string | undefined): boolean {
  const hostname = URL.parse(url ?? '')?.hostname
  return hostname !== undefined && !isLoopbackHostname(hostname)
}
