import { checkLocalPort, checkPublicAddress, localOrigin } from './address-checks.ts'
import { failed, runCheck, skipped, warning, type Finding } from './check.ts'
import type { ServerTime } from './clock-skew.ts'
import type { Deployment } from './deployment.ts'

/** Checks whether the app runs here, and whether it can be reached at PUBLIC_URL. */
export async function checkAppAddresses(
  deployment: Deployment,
): Promise<{ findings: Finding[]; serverTime?: ServerTime | undefined }> {
  const { config, isInvalid } = deployment
  const origin = localOrigin(config.host, config.port)
  const local = await runCheck('App', async (signal) => {
    if (isInvalid('PORT')) {
      return { findings: [skipped('App', 'PORT is invalid (see Configuration).')] }
    }
    const options = { name: 'App', variable: 'PORT', command: 'npm start', signal }
    const { finding, isRunning } = await checkLocalPort(origin, options)
    return { findings: [finding], isRunning }
  })
  const { isRunning } = local
  const address = await runCheck('PUBLIC_URL', (signal) =>
    checkPublicUrl(deployment, { isRunning, localAddress: new URL(origin).host, signal }),
  )
  return { findings: [...local.findings, ...address.findings], serverTime: address.serverTime }
}

async function checkPublicUrl(
  { config, isInvalid }: Deployment,
  options: { isRunning: boolean | undefined; localAddress: string; signal: AbortSignal },
): Promise<{ findings: Finding[]; serverTime?: ServerTime | undefined }> {
  const name = 'PUBLIC_URL'
  const { publicUrl, slack } = config
  if (isInvalid(name)) return { findings: [skipped(name, 'It is invalid (see Configuration).')] }
  if (publicUrl === undefined) return { findings: [missing(name, slack?.mode)] }
  const isHttp = new URL(publicUrl).protocol === 'http:'
  const { findings, serverTime } = await checkPublicAddress(publicUrl, '/healthz', {
    name,
    ...options,
  })
  if (!isHttp || slack?.mode === 'playground') return { findings, serverTime }
  const fix = 'Put a proxy with https in front, such as Caddy, and set PUBLIC_URL to its address.'
  const insecure =
    slack?.mode === 'socket'
      ? warning(name, 'It is not https, so Slack shows no pictures from there.', fix)
      : failed(name, 'It is not https, and Slack calls only https addresses.', fix)
  return { findings: [insecure, ...findings], serverTime }
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
