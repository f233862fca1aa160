import type { UserExport } from '../../application/accounts/export-user.js'
import { OPERATOR } from '../../domain/access/caller.js'
import { withIsoTimes } from '../../domain/instant.js'
import { command, EMAIL_ARG, STORE_FLAGS, type Commands } from './command.js'
import { shownInstant } from './list.js'
import type { Output } from './output.js'
import { runTask } from './task.js'
import { jsonLine } from './terminal-text.js'

/** The command that prints all data about one account. */
export const COMMANDS: Commands = {
  'user:export': command(
    {
      summary: 'Print all data of an account as one JSON document.',
      description:
        'For the owner of the account. Prints {"account": {…}, "secondFactor": {…}, "passkeys": […], "resetTokens": […], "proofs": […], "mails": […], "sessions": […], "apiKeys": […], "projects": […], "auditRecords": […]} as it is read. Contains no hashes, keys or data of other accounts. It is audited.',
      examples: ['<%= config.bin %> user export ada@example.com > ada.json'],
      args: { email: EMAIL_ARG },
      flags: STORE_FLAGS,
    },
    async (exporting, { email }, flags, { open }) => {
      await runTask(exporting, { open, ...flags }, async ({ exportUser }, output) => {
        await print(await exportUser({ caller: OPERATOR, email }), output)
      })
    },
  ),
}

/** Prints each member, and each session, API key, project and audit record, on a new line. */
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
