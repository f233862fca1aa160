import { Command, Flags } from '@oclif/core'
import type { SessionSummary } from '../../../application/access/list-sessions.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { SessionPosition } from '../../../ports/sessions.js'
import { EMAIL_ARG } from '../account-task.js'
import { JSON_FLAG, LIMIT_FLAG, STORE_FLAGS } from '../flags.js'
import { runList } from '../list.js'
import { eachPage, shownInstant, type Row } from '../rows.js'
import { OperatorError } from '../../../domain/operator-error.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'

const ARGS = { email: EMAIL_ARG }
const FLAGS = {
  after: Flags.string({
    description: 'go on behind the session of this id, the last of a list before',
    helpValue: 'ID',
  }),
  ...LIMIT_FLAG,
  ...JSON_FLAG,
  ...STORE_FLAGS,
}

type Choice = {
  readonly email: string
  readonly after: string | undefined
  readonly limit: number | undefined
}

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
      await runList(this, { open, ...flags }, (operation) => sessionsOf(operation, { ...args, ...flags }))
    }
  }
}

async function* sessionsOf(context: CommandContext, choice: Choice): AsyncGenerator<readonly Row[]> {
  const begin = choice.after === undefined ? undefined : await sessionOf(context, choice, choice.after)
  for await (const page of pagesOf(context, choice, begin)) yield page.map(rowOf)
}

function pagesOf({ listSessions }: CommandContext, { email, limit: most }: Choice, begin?: SessionSummary) {
  return eachPage<SessionSummary>(
    async ({ after = begin, limit }) =>
      await listSessions({ caller: OPERATOR, email, limit, after: after && positionOf(after) }),
    most,
  )
}

/** Their order is not that of their ids, so it is looked for among the others of the account, which are few. */
async function sessionOf(context: CommandContext, choice: Choice, id: string): Promise<SessionSummary> {
  for await (const page of pagesOf(context, { ...choice, limit: undefined })) {
    const found = page.find((session) => session.id === id)
    if (found) return found
  }
  throw new OperatorError(['--after names no active session of this account: list from the beginning.'])
}

function positionOf({ createdAt, id }: SessionSummary): SessionPosition {
  return { createdAt, id }
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
