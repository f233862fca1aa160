import { Command, Flags } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { AUDIT_EVENTS, type AuditRecord, type AuditRecordId } from '../../../domain/audit.js'
import { JSON_FLAG, PAGE_FLAGS, STORE_FLAGS } from '../flags.js'
import { runList } from '../list.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'
import { eachPage, shownInstant, type Row } from '../rows.js'
import { instantAgo } from '../moments.js'

const FLAGS = {
  user: Flags.string({ description: 'only what this account did and what was done to it: email or id' }),
  since: Flags.string({
    description: 'only from then on: 30m, 24h or 7d ago, or a date such as 2026-03-01 or 2026-03-01T12:00Z',
  }),
  event: Flags.option({
    description: 'only records of this event',
    options: AUDIT_EVENTS,
    helpValue: '<event>',
  })(),
  after: Flags.string({
    description: 'go on behind the record of this id, the last of a list before',
    helpValue: 'ID',
  }),
  ...PAGE_FLAGS,
  ...JSON_FLAG,
  ...STORE_FLAGS,
}

/** Time in hexadecimal, and what tells records of one millisecond apart; the other ids of a row look different. */
const RECORD_ID = /^[0-9a-f]{12}[\w-]{1,88}$/

type Choice = {
  readonly user: string | undefined
  readonly since: string | undefined
  readonly event: AuditRecord['event'] | undefined
  readonly after: string | undefined
  readonly limit: number | undefined
  readonly 'newest-first': boolean
}

export function createAuditList(open: OpenCommandContext): Command.Class {
  return class AuditList extends Command {
    static override summary = 'List who did what and when, the oldest first.'
    static override description = `A table on a terminal; in a pipe or with --json an array of {"at", "event", "actor", "subject", "address", "requestId", "outcome", "id"}, a row on each line; one that stands for several events of a minute has a "count" as well. Events: ${AUDIT_EVENTS.join(', ')}.`
    static override examples = [
      '<%= config.bin %> audit list --since 24h',
      '<%= config.bin %> audit list --user ada@example.com --event login --json',
    ]
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      if (flags.since !== undefined && instantAgo(flags.since, 0) === undefined)
        this.error('--since is a time ago, such as 24h, or a date, such as 2026-03-01.', { exit: 2 })
      if (flags.after !== undefined && !RECORD_ID.test(flags.after))
        this.error('--after is the id of a record, as the list shows it.', { exit: 2 })
      await runList(this, { open, ...flags }, (operation) => recordsOf(operation, flags))
    }
  }
}

async function* recordsOf(
  { listAudit, clock }: CommandContext,
  { user, since, event, limit: most, ...choice }: Choice,
): AsyncGenerator<readonly Row[]> {
  const from = since === undefined ? undefined : instantAgo(since, clock())
  const order = choice['newest-first'] ? 'newest-first' : 'oldest-first'
  const begin = choice.after as AuditRecordId | undefined
  const pages = eachPage<AuditRecord>(
    async ({ after, limit }) =>
      await listAudit({
        caller: OPERATOR,
        user,
        event,
        since: from,
        after: after?.id ?? begin,
        limit,
        order,
      }),
    most,
  )
  for await (const page of pages) yield page.map(rowOf)
}

function rowOf({ at, event, actor, subject, address, requestId, outcome, count, id }: AuditRecord): Row {
  return {
    at: shownInstant(at),
    event,
    actor,
    subject: subject ?? null,
    address: address ?? null,
    requestId: requestId ?? null,
    outcome,
    count,
    id,
  }
}
