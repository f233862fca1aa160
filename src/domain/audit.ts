import type { AccountId } from './identity/account.js'
import type { Instant } from './instant.js'

/** The audited events. A closed list: readers of the audit log can rely on the words. */
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
  'user.unlock',
  'user.import',
  'user.email',
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

/** An action or attempt of a caller. Holds no secret, and no text that a client chose freely. */
export type AuditRecord = {
  readonly id: AuditRecordId
  readonly at: Instant
  readonly event: AuditEvent
  /** `account:7`, `cli:<user of the operating system>`, `apikey:3` or `anonymous`. */
  readonly actor: string
  /** The target, such as `account:7`, `account:7 role:editor` or `apikey:3`. */
  readonly subject?: string
  /** The client's network address, as far as the host trusts it. */
  readonly address?: string
  readonly requestId?: string
  readonly outcome: 'success' | 'failure'
  /** How many events of one minute share this record; the other members describe the first of them. */
  readonly count?: number
  /** Only with a `count`: events with the same key share one record. */
  readonly countKey?: string
  /** The accounts among actor and subject, each once. */
  readonly accounts: readonly AccountId[]
}

/**
 * Whether the known client of a record is the account's own client: the account acted itself, or the actor is unknown. If
 * another account acted on this account, the client belongs to that other account.
 */
export function isOfOwnClient({ accounts, actor }: AuditRecord, accountId: AccountId): boolean {
  return accounts.includes(accountId) && ownActors(accountId).includes(actor)
}

/** The actors in records with the account's own client. */
export function ownActors(accountId: AccountId): readonly string[] {
  return [`account:${accountId}`, 'anonymous']
}

/**
 * The record without data about its client. The `countKey` is removed too: it is a digest of the address network, and
 * an attacker could try all networks.
 */
export function withoutClient({
  address: _,
  requestId: __,
  countKey: ___,
  ...rest
}: AuditRecord): AuditRecord {
  return rest
}
