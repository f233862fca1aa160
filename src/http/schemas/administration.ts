import * as z from 'zod'
import { AUDIT_EVENTS } from '../../domain/audit.js'
import { broken, accepted, type Parsed } from '../../domain/parsed.js'
import type { Instant } from '../../domain/instant.js'
import { malformed } from '../../application/fields.js'
import { newPasswordSchema } from './identity.js'

const email = z.string().meta({ examples: ['ada@example.com'] })
const time = z.iso.datetime()
const roleKeys = z.array(z.string().describe('Key of a role.'))

const user = {
  id: z.int().positive(),
  email,
  roles: roleKeys,
  createdAt: time,
  disabledAt: time.optional().describe('Present if the account is disabled.'),
}

export const USER = {
  schema: z.strictObject(user).meta({ id: 'Account' }),
  example: { id: 7, email: 'ada@example.com', roles: ['editor'], createdAt: '2026-01-02T03:04:05.678Z' },
}

export const DUPLICATE_USERS = {
  schema: z.array(z.strictObject({ ...user, canonicalEmail: email }).meta({ id: 'DuplicateAccount' })),
  example: [{ ...USER.example, email: 'ada@bücher.example', canonicalEmail: 'ada@xn--bcher-kva.example' }],
}

export const USER_DETAILS = {
  schema: z
    .strictObject({
      ...user,
      sessions: z.strictObject({ active: z.int().min(0).max(100), more: z.boolean() }),
      secondFactor: z.boolean(),
      lastLoginAt: time.optional().describe('Absent if unknown.'),
    })
    .meta({ id: 'AccountDetails' }),
  example: { ...USER.example, sessions: { active: 2, more: false }, secondFactor: true },
}

/** The data of an account for its owner, as `app user export` prints it. */
export const userExportSchema = z
  .strictObject({
    account: z.object({ ...user, hasPassword: z.boolean() }),
    secondFactor: z.record(z.string(), z.unknown()).nullable(),
    resetTokens: z.array(time),
    ...Object.fromEntries(
      ['passkeys', 'proofs', 'mails', 'sessions', 'apiKeys', 'projects', 'auditRecords'].map((name) => [
        name,
        z.array(z.record(z.string(), z.unknown())),
      ]),
    ),
  })
  .meta({ id: 'AccountExport' })

export const USER_EXPORT = {
  account: { ...USER.example, hasPassword: true },
  ...{
    secondFactor: null,
    passkeys: [],
    resetTokens: [],
    proofs: [],
    mails: [],
    sessions: [],
    apiKeys: [],
    projects: [],
    auditRecords: [],
  },
}

const passwordOrHash = {
  password: newPasswordSchema.optional(),
  passwordHash: z
    .string()
    .optional()
    .describe(
      'A hash of the password instead of the password, in a format that can be imported; needs `user: import`.',
    ),
}

export const newUserSchema = z.strictObject({ email, ...passwordOrHash, roles: roleKeys.optional() }).meta({
  id: 'NewAccount',
  description: 'Takes either a password or a hash.',
})

export const newPasswordBodySchema = z.strictObject(passwordOrHash).meta({
  id: 'NewAccountPassword',
  description: 'Takes either a password or a hash.',
})

export const newEmailSchema = z.strictObject({ newEmail: email }).meta({ id: 'NewAccountEmail' })

export const createdSchema = z.strictObject({ id: z.int().positive() }).meta({ id: 'CreatedAccount' })

export const ROLE = {
  schema: z
    .strictObject({ uuid: z.uuid(), key: z.string(), label: z.string() })
    .meta({ id: 'AssignableRole' }),
  example: { uuid: '8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60', key: 'editor', label: 'Editor' },
}

export const newRoleSchema = z.strictObject({ key: z.string(), label: z.string() }).meta({ id: 'NewRole' })

export const SESSION = {
  schema: z
    .strictObject({
      ...{ id: z.string(), createdAt: time, refreshedAt: time, idleEndsAt: time, endsAt: time },
      client: z.string().optional().describe('The client at login; absent if unknown.'),
      network: z.string().optional().describe('The network of the last refresh; absent if unknown.'),
    })
    .meta({ id: 'AccountSession' }),
  example: {
    ...{
      id: 'qT3xEXAMPLE-EXAMPLE_uQ',
      createdAt: '2026-01-02T03:04:05.678Z',
      client: 'Firefox 130 on Linux',
    },
    ...{ refreshedAt: '2026-01-09T10:11:12.131Z', idleEndsAt: '2026-01-16T10:11:12.131Z' },
    ...{ endsAt: '2026-02-01T03:04:05.678Z', network: '203.0.113.7' },
  },
}

export const INVITATION = {
  schema: z
    .strictObject({ id: z.string(), email, roles: roleKeys, createdAt: time, expiresAt: time })
    .meta({ id: 'Invitation' }),
  example: {
    ...{ id: '019b7c2f1a2e0000EXAMPLE', email: 'ada@example.com', roles: ['editor'] },
    ...{ createdAt: '2026-01-02T03:04:05.678Z', expiresAt: '2026-01-09T03:04:05.678Z' },
  },
}

export const newInvitationSchema = z
  .strictObject({ email, roles: roleKeys.optional() })
  .meta({ id: 'NewInvitation' })

export const endedSchema = z.strictObject({ ended: z.int().min(0) }).meta({ id: 'EndedSessions' })

export const FACTOR = {
  schema: z
    .strictObject({
      active: z.boolean(),
      since: time.optional(),
      recoveryCodesLeft: z.int().min(0),
      required: z.boolean().describe('Whether a role of the account needs a second factor.'),
    })
    .meta({ id: 'AccountSecondFactor' }),
  example: { active: true, since: '2026-01-02T03:04:05.678Z', recoveryCodesLeft: 9, required: false },
}

export const USER_PASSKEY = {
  schema: z
    .strictObject({
      ...{ id: z.string(), name: z.string(), createdAt: time, lastUsedAt: time.optional() },
      synced: z.boolean().describe('Whether the device may copy the passkey to other devices.'),
      backedUp: z.boolean().describe('Whether the passkey was backed up at its last use.'),
      transports: z.array(z.string()),
    })
    .meta({ id: 'AccountPasskey' }),
  example: {
    ...{ id: 'lEaFq7Vb0aqm6pW1VZ-9Ug', name: 'Phone', createdAt: '2026-01-02T03:04:05.678Z' },
    ...{ synced: true, backedUp: true, transports: ['hybrid', 'internal'] },
  },
}

export const API_KEY = {
  schema: z
    .strictObject({
      ...{ id: z.int().positive(), name: z.string(), roles: roleKeys, createdAt: time },
      createdBy: z.string().optional().describe('`account:7` or `cli`; absent for keys of earlier releases.'),
      ...{ revokedAt: time.optional(), expiresAt: time.optional() },
      lastUsedAt: time.optional().describe('Rounded down to the hour; absent for an unused key.'),
    })
    .meta({ id: 'ApiKey' }),
  example: { id: 3, name: 'Import job', roles: ['editor'], createdAt: '2026-01-02T03:04:05.678Z' },
}

export const newApiKeySchema = z
  .strictObject({ name: z.string(), roles: roleKeys.optional(), expiresAt: time.optional() })
  .meta({ id: 'NewApiKey' })

export const createdApiKeySchema = z
  .strictObject({
    id: z.int().positive(),
    key: z.string().describe('Shown only in this reply.'),
  })
  .meta({ id: 'CreatedApiKey' })

export const AUDIT_RECORD = {
  schema: z
    .strictObject({
      ...{ id: z.string(), at: time, event: z.enum(AUDIT_EVENTS) },
      actor: z.string().describe('`account:7`, `apikey:3`, `cli:NAME` or `anonymous`.'),
      ...{ actorEmail: email.optional(), subject: z.string().optional(), subjectEmail: email.optional() },
      ...{ address: z.string().optional(), requestId: z.string().optional() },
      outcome: z.enum(['success', 'failure']),
      count: z
        .int()
        .positive()
        .optional()
        .describe('The number of events within one minute that this record represents.'),
    })
    .meta({ id: 'AuditRecord' }),
  example: {
    ...{ id: '019b7c2f1a2eEXAMPLE', at: '2026-01-02T03:04:05.678Z', event: 'login', actor: 'account:7' },
    ...{ actorEmail: 'ada@example.com', subject: 'account:7', subjectEmail: 'ada@example.com' },
    ...{ address: '203.0.113.7', requestId: '3f9a1c0e-5d0b-4f7e-9d5c-0f6f2b1c7a11', outcome: 'success' },
  },
}

export const permissionsSchema = z
  .strictObject({
    caller: z.strictObject({
      kind: z.enum(['account', 'api-key']),
      id: z.int().positive(),
      email: email.optional(),
    }),
    permissions: z
      .record(z.string(), z.array(z.string()))
      .describe('The actions that the caller may perform, by component.'),
  })
  .meta({ id: 'CallerPermissions' })

/** The ids of invitations and audit records. */
export const TIME_ORDERED_ID = /^[0-9a-f]{12}[\w-]{1,88}$/

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z$/

/** Parses a time in UTC (ISO 8601); returns an absent value unchanged. */
export function instantIn(text: unknown, field: string): Instant | undefined {
  if (text === undefined) return undefined
  const parsed = typeof text === 'string' ? instantOf(text) : broken('Format', MUST_BE_TIME)
  if (!parsed.ok) throw malformed(field, parsed.rule)
  return parsed.value
}

export const MUST_BE_TIME = 'must be a time in UTC, such as 2027-03-01T12:00:00Z'

function instantOf(text: string): Parsed<Instant> {
  const at = TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? broken('Format', MUST_BE_TIME) : accepted(at)
}
