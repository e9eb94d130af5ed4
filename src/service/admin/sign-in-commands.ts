import { makeToken, setPassword } from '../store/sign-in.ts'
import { parseCommand } from './arguments.ts'
import type { AdminCommand } from './admin-command.ts'

/** `sign-in link` */
export const signInLinkCommand: AdminCommand = async (args, { database, addresses, now }) => {
  parseCommand(args, {})
  const token = await makeToken(database.db, 'sign_in_link', now())
  return {
    message: 'Open this within 15 minutes. It signs you in to the dashboard, once.',
    data: { link: `${addresses.root}/dashboard/sign-in/${token}` },
  }
}

/** `sign-in password` */
export const signInPasswordCommand: AdminCommand = async (args, { database }) => {
  parseCommand(args, {})
  return {
    message: 'The dashboard’s new password. It is shown this once; everybody is signed out.',
    data: { password: await setPassword(database.db) },
  }
}
