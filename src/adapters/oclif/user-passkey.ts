import { Flags } from '@oclif/core'
import { OPERATOR } from '../../domain/access/caller.js'
import { command, EMAIL_ARG, JSON_FLAG, STORE_FLAGS, type Commands } from './command.js'
import { onePage, printList, shownInstants } from './list.js'
import { runTask, savedBy } from './task.js'

/** The command that lists and removes an account's passkeys. */
export const COMMANDS: Commands = {
  'user:passkey': command(
    {
      summary: 'List the passkeys of an account, oldest first, or remove a passkey.',
      description:
        'Prints a table on a terminal; in a pipe or with --json, an array of {"id", "name", "createdAt", "lastUsedAt", "synced", "backedUp"}. With --remove prints {"errors": [], "save": 1}, and exit status 1 if the account has no such passkey or no other way to log in. Sessions continue; see `session revoke`.',
      examples: [
        '<%= config.bin %> user passkey ada@example.com',
        '<%= config.bin %> user passkey ada@example.com --remove lEaFq7Vb0aqm6pW1VZ-9Ug',
      ],
      args: { email: EMAIL_ARG },
      flags: {
        remove: Flags.string({ description: 'remove the passkey with this id', helpValue: 'ID' }),
        ...{ ...JSON_FLAG, ...STORE_FLAGS },
      },
    },
    async (running, { email }, { remove: id, ...flags }, { open }) => {
      await runTask(running, { open, ...flags }, async (context, output) => {
        if (id !== undefined) return await savedBy(context.removeUserPasskey({ caller: OPERATOR, email, id }))
        const passkeys = await context.listUserPasskeys({ caller: OPERATOR, email })
        const rows = passkeys.map(({ id: passkeyId, name, createdAt, lastUsedAt, synced, backedUp }) => ({
          ...{ id: passkeyId, name, ...shownInstants({ createdAt, lastUsedAt }), synced, backedUp },
        }))
        await printList(onePage(Promise.resolve(rows)), flags, output)
        return undefined
      })
    },
  ),
}
