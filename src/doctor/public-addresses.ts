import type { Variables } from '../config/variables.ts'
import {
  checkLocalPort,
  checkPublicAddress,
  localOrigin,
  type AddressOptions,
} from './address-checks.ts'
import { failed, runCheck, skipped, skippedFor, warning, type Finding } from './check.ts'
import type { Deployment } from './deployment.ts'

/** A program that listens on this machine, and has a public address. */
interface Program {
  name: string
  port: number
  portSetting: keyof Variables
  urlSetting: keyof Variables
  checkUrl: (options: AddressOptions) => Promise<Finding[]>
}

/** Checks whether a program runs here, and whether it can be reached at its public address. */
export async function checkProgram(
  { config: { host }, isInvalid }: Deployment,
  { name, port, portSetting, urlSetting, checkUrl }: Program,
): Promise<{ findings: Finding[]; origin: string; isRunning: boolean | undefined }> {
  const origin = localOrigin(host, port)
  let isRunning: boolean | undefined
  const local = await runCheck(name, async (signal) => {
    if (isInvalid(portSetting)) return [skippedFor(portSetting, name)]
    const found = await checkLocalPort(origin, { name, setting: portSetting, signal })
    isRunning = found.isRunning
    return [found]
  })
  const localAddress = new URL(origin).host
  const address = await runCheck(urlSetting, async (signal) =>
    isInvalid(urlSetting)
      ? [skippedFor(urlSetting, urlSetting)]
      : checkUrl({ name: urlSetting, isRunning, localAddress, signal }),
  )
  return { findings: [...local, ...address], origin, isRunning }
}

/** Checks whether the app runs here, and whether it can be reached at PUBLIC_URL. */
export async function checkAppAddresses(deployment: Deployment): Promise<Finding[]> {
  const { findings } = await checkProgram(deployment, {
    name: 'App',
    port: deployment.config.port,
    portSetting: 'PORT',
    urlSetting: 'PUBLIC_URL',
    checkUrl: (options) => checkPublicUrl(deployment, options),
  })
  return findings
}

async function checkPublicUrl(
  { config: { publicUrl, slack } }: Deployment,
  options: AddressOptions,
): Promise<Finding[]> {
  const { name } = options
  if (publicUrl === undefined) return [missing(name, slack?.mode)]
  const findings = await checkPublicAddress(publicUrl, options)
  const isHttp = new URL(publicUrl).protocol === 'http:'
  if (!isHttp || slack?.mode === 'playground') return findings
  const fix = 'Put a proxy with https in front, such as Caddy, and set PUBLIC_URL to its address.'
  const insecure =
    slack?.mode === 'socket'
      ? warning(name, 'It is not https, so Slack shows no pictures from there.', fix)
      : failed(name, 'It is not https, and Slack calls only https addresses.', fix)
  return [insecure, ...findings]
}

function missing(name: string, mode: 'playground' | 'http' | 'socket' | undefined): Finding {
  if (mode === 'playground') return skipped(name, 'It is not set. The playground needs none.')
  if (mode === 'socket') {
    return skipped(name, 'It is not set. Socket Mode needs none; QR codes are uploaded to Slack.')
  }
  return warning(
    name,
    'It is not set, so the address that Slack calls can’t be checked.',
    'Set it to the app’s public https address, the one in the app’s manifest.',
  )
}
