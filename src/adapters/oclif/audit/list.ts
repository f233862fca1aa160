import { Command, Flags } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { AUDIT_EVENTS, type AuditRecord } from '../../../domain/audit.js'
import { DEBUG_FLAG, JSON_FLAG } from '../flags.js'
import { runList } from '../list.js'
import type { OpenOperation, Operation } from '../operation.js'
import { eachPage, shownInstant, type Row } from '../rows.js'
import { instantOf } from './since.js'

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
  ...JSON_FLAG,
  ...DEBUG_FLAG,
}

type Choice = {
  readonly user: string | undefined
  readonly since: string | undefined
  readonly event: AuditRecord['event'] | undefined
}

export function createAuditList(open: OpenOperation): Command.Class {
  return class AuditList extends Command {
    static override summary = 'List who did what and when, the oldest first.'
    static override description = `A table on a terminal; in a pipe or with --json an array of {"at", "event", "actor", "subject", "address", "requestId", "outcome"}, a row on each line; one that stands for several events of a minute has a "count" as well. Events: ${AUDIT_EVENTS.join(', ')}.`
    static override examples = [
      '<%= config.bin %> audit list --since 24h',
      '<%= config.bin %> audit list --user ada@example.com --event login --json',
    ]
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      if (flags.since !== undefined && instantOf(flags.since, 0) === undefined)
        this.error('--since is a time ago, such as 24h, or a date, such as 2026-03-01.', { exit: 2 })
      await runList(this, { open, ...flags }, (operation) => recordsOf(operation, flags))
    }
  }
}

async function* recordsOf(
  { listAudit, clock }: Operation,
  { user, since, event }: Choice,
): AsyncGenerator<readonly Row[]> {
  const from = since === undefined ? undefined : instantOf(since, clock())
  const pages = eachPage<AuditRecord>(
    async ({ after, limit }) =>
      await listAudit({ caller: OPERATOR, user, event, since: from, after: after?.id, limit }),
  )
  for await (const page of pages) yield page.map(rowOf)
}

function rowOf({ at, event, actor, subject, address, requestId, outcome, count }: AuditRecord): Row {
  return {
    at: shownInstant(at),
    event,
    actor,
    subject: subject ?? null,
    address: address ?? null,
    requestId: requestId ?? null,
    outcome,
    count,
  }
}
