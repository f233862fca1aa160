import { Command } from '@oclif/core'
import type { SessionSummary } from '../../../application/access/list-sessions.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { EMAIL_ARG } from '../account-task.js'
import { JSON_FLAG, STORE_FLAGS } from '../flags.js'
import { runList } from '../list.js'
import { eachPage, shownInstant, type Row } from '../rows.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'

const ARGS = { email: EMAIL_ARG }
const FLAGS = { ...JSON_FLAG, ...STORE_FLAGS }

export function createSessionList(open: OpenCommandContext): Command.Class {
  return class SessionList extends Command {
    static override summary = 'List the active sessions of an account, the oldest first.'
    static override description =
      'A table on a terminal; in a pipe or with --json an array of {"id", "createdAt", "refreshedAt", "idleEndsAt", "endsAt", "client", "network"}. No keys.'
    static override examples = ['<%= config.bin %> session list ada@example.com']
    static override args = ARGS
    static override flags = FLAGS

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: FLAGS })
      await runList(this, { open, ...flags }, (operation) => sessionsOf(operation, args.email))
    }
  }
}

async function* sessionsOf({ listSessions }: CommandContext, email: string): AsyncGenerator<readonly Row[]> {
  const pages = eachPage<SessionSummary>(
    async (page) => await listSessions({ caller: OPERATOR, email, ...page }),
  )
  for await (const page of pages) yield page.map(rowOf)
}

function rowOf(session: SessionSummary): Row {
  const { id, createdAt, refreshedAt, idleEndsAt, endsAt, client = null, network = null } = session
  return {
    id,
    createdAt: shownInstant(createdAt),
    refreshedAt: shownInstant(refreshedAt),
    idleEndsAt: shownInstant(idleEndsAt),
    endsAt: shownInstant(endsAt),
    client,
    network,
  }
}
