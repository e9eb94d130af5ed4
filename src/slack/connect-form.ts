import { connectModal } from './blocks/connect-modal.ts'
import type { Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { openForAdmins } from './settings/admins-only.ts'

/** Opens the connect form, for admins. */
export async function openConnectForm(
  deps: Pick<Deps, 'connector' | 'desk' | 'views' | 'logger'>,
  caller: Caller,
  click: { triggerId: string; userId: string },
): Promise<void> {
  await openForAdmins(deps, caller, { ...click, title: 'Connect Backhalf' }, async () =>
    connectModal(await deps.connector.current(caller.workspace)),
  )
}
