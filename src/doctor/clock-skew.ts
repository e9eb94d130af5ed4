import { failed, ok, warning, type Finding, type ServerTime } from './check.ts'

/**
 * The differences from which on the check warns or fails, in milliseconds. Slack's signatures are valid for five
 * minutes.
 */
const [WARN_MS, FAIL_MS] = [5_000, 60_000]

const FIX =
  'Synchronize the clock: timedatectl set-ntp true. In a container or virtual machine, set the host’s clock.'

/** How far this machine's clock is ahead of the server's, at least, in milliseconds. Negative if it is behind. */
export function clockSkewMs({ date, sentAt, receivedAt }: ServerTime): number {
  if (date > receivedAt) return receivedAt - date
  return Math.max(0, sentAt - (date + 1_000))
}

/** @param server whose clock it is, such as `Slack` */
export function checkClock(server: string, time: ServerTime): Finding {
  const name = `Clock, compared with ${server}`
  const skew = clockSkewMs(time)
  const direction = skew < 0 ? 'behind' : 'ahead'
  const message = `This machine’s clock is ${Math.round(Math.abs(skew) / 1_000)} seconds ${direction}.`
  if (Math.abs(skew) > FAIL_MS) return failed(name, message, FIX)
  if (Math.abs(skew) > WARN_MS) return warning(name, message, FIX)
  return ok(name, 'The difference is at most a few seconds.')
}
