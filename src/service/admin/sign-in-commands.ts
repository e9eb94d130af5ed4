import { createToken, setPassword } from '../store/sign-in.ts'
import { parseCommand } from './arguments.ts'
import type { AdminCommand } from './command.ts'

/** `sign-in link` */
export const signInLinkCommand: AdminCommand = async (args, { db, addresses, now }) => {
  parseCommand(args, {})
  const token = await createToken(db, 'sign_in_link', now())
  return {
    message: 'Open this link within 15 minutes. It signs you in to the dashboard, once.',
    data: { link: `${addresses.origin}/dashboard/sign-in/${token}` },
  }
}

/** `sign-in password` */
export const signInPasswordCommand: AdminCommand = async (args, context) => {
  parseCommand(args, {})
  return {
    message:
      'This is the new password of the dashboard. It can’t be shown again. All sessions have ended.',
    data: { password: await setPassword(context) },
  }
}
