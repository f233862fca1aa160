import type { AccountId } from './identity/account.js'
import type { Instant } from './instant.js'

/** What is audited. A closed list: readers of the audit log can rely on the words. */
export const AUDIT_EVENTS = [
  'login',
  'logout',
  'refresh.reuse',
  'refresh.shared',
  'binding.mismatch',
  'impersonation.start',
  'impersonation.end',
  'reset.ask',
  'reset.done',
  'user.create',
  'user.delete',
  'user.export',
  'account.delete',
  'user.disable',
  'user.enable',
  'user.import',
  'password.set',
  'password.change',
  'factor.set',
  'factor.remove',
  'factor.recovery',
  'factor.renew',
  'role.assign',
  'role.remove',
  'session.revoke',
  'session.end',
  'apikey.create',
  'apikey.revoke',
] as const

/** One of `AUDIT_EVENTS`. */
export type AuditEvent = (typeof AUDIT_EVENTS)[number]

/** Time-ordered: begins with `timePrefix` of its moment. */
export type AuditRecordId = string & { readonly brand: 'AuditRecordId' }

/** One thing that a caller did or tried. Holds no secret, and no text that a client chose freely. */
export type AuditRecord = {
  readonly id: AuditRecordId
  readonly at: Instant
  readonly event: AuditEvent
  /** `account:7`, `cli:<user of the operating system>`, `apikey:3` or `anonymous`. */
  readonly actor: string
  /** What was acted on, such as `account:7`, `account:7 role:editor` or `apikey:3`. */
  readonly subject?: string
  /** The client's network address, as far as the host believes it. */
  readonly address?: string
  readonly requestId?: string
  readonly outcome: 'success' | 'failure'
  /** How many events it stands for, where those of one minute share a record; the rest tells of the first. */
  readonly count?: number
  /** With a `count`: records that have the same key are one. */
  readonly countKey?: string
  /** Whose record it is: the accounts among actor and subject, each once. */
  readonly accounts: readonly AccountId[]
}

/**
 * Whether the client of a record, as far as it is known, was the account's own: the account acted itself, or it is not known
 * who did. In a record of what another did to the account the client is that other one's.
 */
export function isOfOwnClient({ accounts, actor }: AuditRecord, accountId: AccountId): boolean {
  return accounts.includes(accountId) && ownActors(accountId).includes(actor)
}

/** What the actor of a record is called whose client was the account's own. */
export function ownActors(accountId: AccountId): readonly string[] {
  return [`account:${accountId}`, 'anonymous']
}

/**
 * The record without what tells of its client. The key of a count goes too: it is a digest of the address network, and those
 * are few enough to be tried one by one.
 */
export function withoutClient({
  address: _,
  requestId: __,
  countKey: ___,
  ...rest
}: AuditRecord): AuditRecord {
  return rest
}
