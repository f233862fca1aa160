import * as z from 'zod'
import { AUDIT_EVENTS, type AuditRecordId } from '../../../domain/audit.js'
import { withIsoTimes } from '../../../domain/instant.js'
import { administrationList } from '../../administration.js'
import * as refused from '../../description/refusals.js'
import type { Endpoint } from '../../endpoint.js'
import * as schemas from '../../schemas/administration.js'
import { optionalText } from '../../schemas/validate.js'

const TIME = '2026-01-02T03:04:05Z'

/** The route for the audit log. */
export const audit: Endpoint = administrationList('/audit', 'listAudit', {
  summary: 'List who did what and when',
  ...{ entries: 'audit records', version: 'a1', example: '019b7c2f1a2eEXAMPLE' as AuditRecordId },
  filters: {
    user: optionalText({ description: 'The email or id of an account.', examples: ['ada@example.com'] }),
    event: z
      .enum(AUDIT_EVENTS)
      .optional()
      .meta({ description: 'Only this event.', examples: ['login'] }),
    since: optionalText({
      format: 'date-time',
      description: 'Only records from this time on.',
      examples: [TIME],
    }),
    until: optionalText({
      format: 'date-time',
      description: 'Only records before this time.',
      examples: [TIME],
    }),
    order: z
      .enum(['oldest-first', 'newest-first'])
      .optional()
      .meta({ description: 'The default is `oldest-first`.', examples: ['newest-first'] }),
  },
  write: String,
  read: (text) => (schemas.TIME_ORDERED_ID.test(text) ? (text as AuditRecordId) : undefined),
  input: ({ since, until, ...filter }) => ({
    ...filter,
    since: schemas.instantIn(since, 'since'),
    until: schemas.instantIn(until, 'until'),
  }),
  positionOf: ({ id }) => id,
  row: schemas.AUDIT_RECORD,
  present: ({ accounts: _, countKey: __, ...record }) => withIsoTimes(record),
  refusals: { 400: refused.messageOf('Format', schemas.MUST_BE_TIME, 'since'), 404: refused.NO_USER },
})
