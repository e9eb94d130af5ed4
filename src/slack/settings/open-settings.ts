import type { Caller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import { VIEWS } from '../ids.ts'
import { openForAdmins } from './admins-only.ts'

type Opener = Pick<Deps, 'desk' | 'views' | 'logger'>

interface Click {
  triggerId: string
  userId: string
}

/** Opens the settings, for admins. */
export async function openSettings(deps: Opener, caller: Caller, click: Click): Promise<void> {
  await openForAdmins(deps, caller, { ...click, title: 'Backhalf settings' }, () =>
    deps.desk.overview(caller.workspace),
  )
}

/** Opens the question whether the workspace should be disconnected, for admins. */
export async function openDisconnect(deps: Opener, caller: Caller, click: Click): Promise<void> {
  await openForAdmins(deps, caller, { ...click, title: 'Disconnect Backhalf' }, () =>
    deps.desk.forms[VIEWS.disconnect].draw({ workspace: caller.workspace, key: '' }),
  )
}
