import { exportOwner } from '../../database/copy/export-owner.ts'
import { importOwner } from '../../database/copy/import-owner.ts'
import { DAY_MS } from '../../timing/days.ts'
import { purge } from '../store/erasure.ts'
import { fillSegments } from '../store/segments.ts'
import { AdminError, type Command, parseCount, requireConfirmed, withOptions } from './command.ts'
import { findOwner } from './owner-commands.ts'

export const DATA_COMMANDS: Record<string, Command> = {
  purge: withOptions({
    help: 'erase where deleted links led, and who created them; their\nshort URLs stay reserved',
    options: {
      org: { value: 'ORG', help: 'only of this organization; without it, of all workspaces' },
      account: { value: 'ACCOUNT', help: 'or only of this personal account' },
      'history-days': {
        value: 'DAYS',
        help: 'also erase history older than this: changes of links and\nearlier destinations',
      },
      confirm: {
        value: 'NAME',
        help: 'the workspace’s name, or all, because this can’t be undone',
      },
    },
    async run({ options }, context) {
      const { confirm, 'history-days': days } = options
      const owner = await findOwner(context, options)
      // History before this time is erased. No history is older than time 0, so 0 erases nothing.
      const historyEnd =
        days === undefined ? 0 : context.now() - parseCount(days, '--history-days', 1) * DAY_MS
      const workspace = owner ? `“${owner.name}” (${owner.id})` : 'all workspaces'
      const erased =
        days === undefined
          ? `what is left of deleted links of ${workspace}`
          : `what is left of deleted links, and all history older than ${days} days, of ${workspace}`
      requireConfirmed(confirm, owner?.name ?? 'all', erased)
      const rows = await purge(context, owner?.id ?? null, historyEnd)
      return {
        message:
          'Erased. Backups that were made earlier still have it, and the stored responses to requests that created a link keep it for up to two days.',
        data: { owner: owner?.name ?? 'all', rows },
      }
    },
  }),
  'export-workspace': withOptions({
    args: '[ORG]',
    help: 'write an organization with its links, clicks, history and keys\nto standard output, for another installation',
    options: { account: { value: 'ACCOUNT', help: 'a personal account instead' } },
    async run({ args: [org], options }, context) {
      const owner = await findOwner(context, { ...options, ...(org !== undefined && { org }) })
      if (!owner) throw new AdminError('Missing argument: ORG, or --account ACCOUNT.')
      const { databaseUrl, out: write, now } = context
      const rows = await exportOwner(databaseUrl, owner.id, { now: now(), write })
      const message =
        'Exported. Links that are created and clicks that are counted from now on are not in the file.'
      return { message, data: { id: owner.id, name: owner.name, rows }, printsOnStderr: true }
    },
  }),
  'import-workspace': {
    help: 'add a workspace from standard input, and compare it with the file',
    async run(_input, { databaseUrl, addresses, lines }) {
      const isOwnHostname = (hostname: string): boolean => addresses.isBuiltIn(hostname)
      const { owner, rows, isBuiltIn } = await importOwner(databaseUrl, lines(), {
        isOwnHostname,
        addSums: fillSegments,
      })
      const addressNote = ` Short URLs on the built-in domain now start with ${addresses.origin}.`
      return {
        message: `Imported, and equal to the file. The API keys are revoked: create new ones.${isBuiltIn ? addressNote : ''}`,
        data: { id: owner.id, name: owner.name, rows },
      }
    },
  },
}
