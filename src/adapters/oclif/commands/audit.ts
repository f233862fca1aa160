import { Flags } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { ListedAuditRecord } from '../../../application/audit/list-audit.js'
import { AUDIT_EVENTS, type AuditRecordId } from '../../../domain/audit.js'
import type { Commands } from '../command.js'
import { afterFlag, eachPage, list, PAGE_FLAGS, shownInstant } from '../list.js'
import { instantAgo } from '../moments.js'

/**
 * Matches a record ID: the hexadecimal time and a suffix that distinguishes records from the same millisecond; other IDs in the same table
 * row have a different format.
 */
const RECORD_ID = /^[0-9a-f]{12}[\w-]{1,88}$/

const MOMENT = '30m, 24h or 7d ago, or a date such as 2026-03-01 or 2026-03-01T12:00Z'

export const TOPICS = { audit: 'who did what and when' }

/** The command that lists the audit log. */
export const COMMANDS: Commands = {
  'audit:list': list({
    summary: 'List who did what and when, oldest first.',
    description: `Prints a table on a terminal; in a pipe or with --json, an array of {"at", "event", "actor", "actorEmail", "subject", "subjectEmail", "address", "requestId", "outcome", "id"}, one row per line. An email is null if the account was deleted. A row that stands for several events in one minute also has a "count". Events: ${AUDIT_EVENTS.join(', ')}.`,
    examples: [
      '<%= config.bin %> audit list --since 24h',
      '<%= config.bin %> audit list --since 2026-03-01 --until 2026-03-02 --newest-first',
      '<%= config.bin %> audit list --user ada@example.com --event login --json',
    ],
    flags: {
      user: Flags.string({
        description: 'only records by or about this account, identified by email or id',
      }),
      since: Flags.string({ description: `only records from this time on: ${MOMENT}`, helpValue: 'WHEN' }),
      until: Flags.string({ description: `only records before this time: ${MOMENT}`, helpValue: 'WHEN' }),
      event: Flags.option({
        description: 'only records of this event',
        options: AUDIT_EVENTS,
        helpValue: '<event>',
      })(),
      after: afterFlag('the record with this id', 'ID'),
      ...PAGE_FLAGS,
    },
    usageError: ({ since, until, after }) => {
      const wrong = Object.entries({ since, until }).find(
        ([, typed]) => typed !== undefined && instantAgo(typed, 0) === undefined,
      )
      if (wrong)
        return `--${wrong[0]} must be a duration before now, such as 24h, or a date, such as 2026-03-01.`
      return after === undefined || RECORD_ID.test(after)
        ? undefined
        : '--after must be the id of a record from the list.'
    },
    pages: ({ listAudit, clock }, { user, event, limit: most, after: begin, ...choice }) => {
      const [since, until] = [choice.since, choice.until].map((typed) =>
        typed === undefined ? undefined : instantAgo(typed, clock()),
      )
      const order = choice['newest-first'] ? 'newest-first' : 'oldest-first'
      const asked = { caller: OPERATOR, user, event, since, until, order } as const
      return eachPage<ListedAuditRecord>(
        ({ after, limit }) =>
          listAudit({ ...asked, after: after?.id ?? (begin as AuditRecordId | undefined), limit }),
        most,
      )
    },
    row: ({ at, event, actor, actorEmail = null, subject = null, subjectEmail = null, ...rest }) => {
      const { address = null, requestId = null, outcome, count, id } = rest
      const who = { actor, actorEmail, subject, subjectEmail }
      return { at: shownInstant(at), event, ...who, address, requestId, outcome, count, id }
    },
  }),
}
