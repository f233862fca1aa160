import { Command } from '@oclif/core'
import type { UserExport } from '../../../application/accounts/export-user.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { EMAIL_ARG } from '../account-task.js'
import type { OpenCommandContext } from '../command-context.js'
import { STORE_FLAGS } from '../flags.js'
import { createOutput, type Output } from '../output.js'
import { shownInstant } from '../rows.js'
import { inCommandContext, notSaved } from '../task.js'
import { jsonLine, shownText } from '../terminal-text.js'

const ARGS = { email: EMAIL_ARG }

export function createUserExport(open: OpenCommandContext): Command.Class {
  return class UserExportCommand extends Command {
    static override summary = 'Print everything that is kept about an account, as one JSON document.'
    static override description =
      'For the person whose account it is. Prints {"account": {…}, "secondFactor": {…}, "resetTokens": […], "mails": […], "sessions": […], "projects": […], "auditRecords": […]} as it is read. No hashes, no keys, nothing of others. It is audited.'
    static override examples = ['<%= config.bin %> user export ada@example.com > ada.json']
    static override args = ARGS
    static override flags = STORE_FLAGS

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: STORE_FLAGS })
      const output = createOutput(process.stdout)
      await inCommandContext(
        this,
        { open, ...flags },
        async ({ exportUser }) => {
          await print(await exportUser({ caller: OPERATOR, email: args.email }), output)
          output.settle(this)
        },
        async (errors) => {
          // What was begun stays open, so that no reader takes it for the whole.
          if (output.isUsed()) for (const { message } of errors) this.logToStderr(shownText(message))
          else await output.write(`${jsonLine(notSaved(errors))}\n`)
        },
      )
    }
  }
}

/** Each member begins a line, and so does each session, project and record. */
async function print({ account, ...rest }: UserExport, output: Output): Promise<void> {
  const { secondFactor, resetTokens, mails, sessions, projects, auditRecords } = rest
  const first = {
    account: dated(account),
    secondFactor: secondFactor ? dated(secondFactor) : null,
    resetTokens: resetTokens.map(shownInstant),
    mails: mails.map(dated),
  }
  const members = Object.entries(first).map(
    ([name, value]) => `${JSON.stringify(name)}: ${value ? jsonLine(value) : 'null'}`,
  )
  await output.write(`{${members.join(',\n')}`)
  await printPages('sessions', sessions, output)
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
    if (!(await output.write(before + rows.map((row) => `\n${jsonLine(dated(row))}`).join(',')))) return
    before = ','
  }
  await output.write(before === ',' ? ']' : `${before}]`)
}

/** Moments, which are the members of these names, as text in UTC. */
const MOMENTS = [
  'at',
  'askedAt',
  'begunAt',
  'activeSince',
  'createdAt',
  'refreshedAt',
  'endsAt',
  'disabledAt',
  'closedAt',
]

function dated(row: object): object {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name,
    MOMENTS.includes(name) && typeof value === 'number' ? shownInstant(value) : value,
  ])
  return Object.fromEntries(entries) as object
}
