import { Args, Flags } from '@oclif/core'
import type { UserExport } from '../../../application/accounts/export-user.js'
import { noUserFactor } from '../../../application/accounts/named-account.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { withIsoTimes } from '../../../domain/instant.js'
import {
  argument,
  booleanFlag,
  command,
  EMAIL_ARG,
  JSON_FLAG,
  STORE_FLAGS,
  type Commands,
} from '../command.js'
import { onePage, printList, shownInstant, shownInstants } from '../list.js'
import { jsonLine, type Output } from '../output.js'
import { runTask, savedBy, savedResult, task } from '../task.js'

const ARGS = { email: EMAIL_ARG }

export const TOPICS = { user: 'accounts', session: 'login sessions' }

/** Commands that work with one account. */
export const COMMANDS: Commands = {
  'user:show': task({
    summary: 'Show one account: roles, sessions, second factor, last login.',
    description:
      'Prints {"id", "email", "roles", "createdAt", "disabledAt", "sessions": {"active", "more"}, "secondFactor", "lastLoginAt"}. Counts at most 100 sessions; "more" says whether there are others. Prints no hashes or keys.',
    examples: ['<%= config.bin %> user show ada@example.com'],
    args: ARGS,
    work: async ({ getUser }, { email }) => {
      const { createdAt, disabledAt, lastLoginAt, ...user } = await getUser({ caller: OPERATOR, email })
      const { id, roles, sessions, secondFactor } = user
      const account = { id, email: user.email, roles, ...shownInstants({ createdAt, disabledAt }) }
      return { ...account, sessions, secondFactor, lastLoginAt: shownInstant(lastLoginAt) }
    },
  }),
  'user:disable': task({
    summary: 'Disable an account, and end its sessions and API keys immediately.',
    description: 'Prints {"errors": [], "save": 1}. The account cannot log in until `user enable`.',
    examples: ['<%= config.bin %> user disable ada@example.com'],
    args: ARGS,
    endsLogins: true,
    work: ({ disableUser }, { email }) => savedBy(disableUser({ caller: OPERATOR, email })),
  }),
  'user:enable': task({
    summary: 'Let a disabled account log in again.',
    description: 'Prints {"errors": [], "save": 1}. Sessions and API keys that have ended are not restored.',
    examples: ['<%= config.bin %> user enable ada@example.com'],
    args: ARGS,
    work: ({ enableUser }, { email }) => savedBy(enableUser({ caller: OPERATOR, email })),
  }),
  'user:unlock': task({
    summary: 'Let a user who entered too many wrong passwords or codes log in again.',
    description:
      'Prints {"errors": [], "save": 1}. Forgets the failed attempts for the account. Keeps the failed attempts of the address network, which count for all accounts. `user password` does the same.',
    examples: ['<%= config.bin %> user unlock ada@example.com'],
    args: ARGS,
    work: ({ unlockUser }, { email }) => savedBy(unlockUser({ caller: OPERATOR, email })),
  }),
  'user:email': task({
    summary: 'Change the email of an account.',
    description:
      'Prints {"errors": [], "save": 1}. Ends the sessions of the account and voids its reset links; keeps its password, roles and second factor. No mail is sent.',
    examples: ['<%= config.bin %> user email ada@example.com ada.lovelace@example.com'],
    args: { ...ARGS, 'new-email': argument('new email of the account') },
    endsLogins: true,
    work: ({ changeUserEmail }, { email, 'new-email': newEmail }) =>
      savedBy(changeUserEmail({ caller: OPERATOR, email, newEmail })),
  }),
  'user:delete': task({
    summary: 'Permanently delete an account with its memberships and sessions.',
    description:
      'Prints {"errors": [], "save": 1}. Keeps the projects and pets of the account. `user disable` can be undone, but this command cannot.',
    examples: ['<%= config.bin %> user delete ada@example.com'],
    args: ARGS,
    endsLogins: true,
    work: ({ deleteUser }, { email }) => savedBy(deleteUser({ caller: OPERATOR, email })),
  }),
  'user:role': task({
    summary: 'Assign a role to an account, or remove a role from it.',
    description: 'The role must be in the role table; see `role create`.',
    examples: [
      '<%= config.bin %> user role ada@example.com editor',
      '<%= config.bin %> user role ada@example.com editor --remove',
    ],
    args: { ...ARGS, role: argument('key of the role') },
    flags: { remove: booleanFlag('remove the role') },
    work: ({ assignRole }, { email, role }, { remove }) =>
      savedBy(assignRole({ caller: OPERATOR, email, role, remove })),
  }),
  'user:factor': task({
    summary: 'Show whether an account has a second factor, or remove the second factor.',
    description:
      'Prints {"active": true, "since": "…", "recoveryCodesLeft": 9, "required": false}; with --remove {"errors": [], "save": 1}, and exit status 1 without a second factor. Make sure that the request comes from the owner: afterwards, the password is enough to log in.',
    examples: [
      '<%= config.bin %> user factor ada@example.com',
      '<%= config.bin %> user factor ada@example.com --remove',
    ],
    args: ARGS,
    flags: { remove: booleanFlag('remove the second factor of a user who has lost it') },
    work: async ({ readUserFactor, removeUserFactor }, { email }, { remove }) => {
      if (remove) {
        if ((await removeUserFactor({ caller: OPERATOR, email })) === 'unchanged') throw noUserFactor()
        return savedResult()
      }
      const { since, ...status } = await readUserFactor({ caller: OPERATOR, email })
      return { ...status, since: shownInstant(since) }
    },
  }),
  'user:reset-mail': task({
    summary: 'Send the owner of an account an email for setting a new password.',
    description:
      'Prints {"errors": [], "save": 1} when the email is queued; the service sends it. Requires MAIL_URL, and a permission file that permits password resets.',
    examples: ['<%= config.bin %> user reset-mail ada@example.com'],
    args: ARGS,
    work: ({ sendResetMail }, { email }) => savedBy(sendResetMail({ caller: OPERATOR, email })),
  }),
  'session:revoke': task({
    summary: 'End every session of an account, or only the session with the given id.',
    description:
      'Prints {"errors": [], "save": 1, "ended": 2}. Takes effect immediately; the user can log in again with the password. `session list` shows the ids.',
    examples: ['<%= config.bin %> session revoke ada@example.com'],
    args: { ...ARGS, id: Args.string({ description: 'id of the session', ignoreStdin: true }) },
    endsLogins: true,
    work: async ({ revokeSession, revokeSessions }, { email, id }) => {
      if (id === undefined) return savedResult({ ended: await revokeSessions({ caller: OPERATOR, email }) })
      await revokeSession({ caller: OPERATOR, email, id })
      return savedResult({ ended: 1 })
    },
  }),
  'user:passkey': command(
    {
      summary: 'List the passkeys of an account, oldest first, or remove a passkey.',
      description:
        'Prints a table on a terminal; in a pipe or with --json, an array of {"id", "name", "createdAt", "lastUsedAt", "synced", "backedUp"}. With --remove prints {"errors": [], "save": 1}, and exit status 1 if the account has no such passkey or no other way to log in. Sessions continue; see `session revoke`.',
      examples: [
        '<%= config.bin %> user passkey ada@example.com',
        '<%= config.bin %> user passkey ada@example.com --remove lEaFq7Vb0aqm6pW1VZ-9Ug',
      ],
      args: ARGS,
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
  'user:export': command(
    {
      summary: 'Print all data of an account as one JSON document.',
      description:
        'For the owner of the account. Prints {"account": {…}, "secondFactor": {…}, "passkeys": […], "resetTokens": […], "proofs": […], "mails": […], "sessions": […], "apiKeys": […], "projects": […], "auditRecords": […]} as it is read. Contains no hashes, keys or data of other accounts. It is audited.',
      examples: ['<%= config.bin %> user export ada@example.com > ada.json'],
      args: ARGS,
      flags: STORE_FLAGS,
    },
    async (exporting, { email }, flags, { open }) => {
      await runTask(exporting, { open, ...flags }, async ({ exportUser }, output) => {
        await print(await exportUser({ caller: OPERATOR, email }), output)
      })
    },
  ),
}

async function print({ account, ...rest }: UserExport, output: Output): Promise<void> {
  const { secondFactor, passkeys, resetTokens, proofs, mails, ...pages } = rest
  const { sessions, apiKeys, projects, auditRecords } = pages
  const first = {
    account: withIsoTimes(account),
    secondFactor: secondFactor ? withIsoTimes(secondFactor) : null,
    passkeys: passkeys.map(withIsoTimes),
    resetTokens: resetTokens.map(shownInstant),
    proofs: proofs.map(withIsoTimes),
    mails: mails.map(withIsoTimes),
  }
  const members = Object.entries(first).map(
    ([name, value]) => `${JSON.stringify(name)}: ${value ? jsonLine(value) : 'null'}`,
  )
  await output.write(`{${members.join(',\n')}`)
  await printPages('sessions', sessions, output)
  await printPages('apiKeys', apiKeys, output)
  await printPages('projects', projects, output)
  await printPages('auditRecords', auditRecords, output)
  await output.write('}\n')
}

async function printPages(
  name: string,
  pages: AsyncIterable<readonly object[]>,
  output: Output,
): Promise<void> {
  let before = `,\n${JSON.stringify(name)}: [`
  for await (const rows of pages) {
    if (!(await output.write(before + rows.map((row) => `\n${jsonLine(withIsoTimes(row))}`).join(','))))
      return
    before = ','
  }
  await output.write(before === ',' ? ']' : `${before}]`)
}
