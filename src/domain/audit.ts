import type { AccountId } from './identity/account.js'
import type { Instant } from './instant.js'

/** All audited events. The list is complete, and existing names do not change. */
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
  'sign-up',
  'email.change',
  'email.undo',
  'invitation.create',
  'invitation.revoke',
  'user.approve',
  'account.export',
  'login.confirm',
  'passkey.add',
  'passkey.remove',
  'passkey.clone',
] as const

/** An event of the audit log, from `AUDIT_EVENTS`. */
export type AuditEvent = (typeof AUDIT_EVENTS)[number]

/** A time-ordered ID that begins with the `timePrefix` of the record's time. */
export type AuditRecordId = string & { readonly brand: 'AuditRecordId' }

/** An action that a caller performed or attempted. Contains no secrets and no free text from a client. */
export type AuditRecord = {
  readonly id: AuditRecordId
  readonly at: Instant
  readonly event: AuditEvent
  /** `account:7`, `cli:<operator>`, `apikey:3` or `anonymous`. */
  readonly actor: string
  /** The target, such as `account:7`, `account:7 role:editor` or `apikey:3`. */
  readonly subject?: string
  /** The client's network address, determined according to the host's list of trusted proxies. */
  readonly address?: string
  readonly requestId?: string
  readonly outcome: 'success' | 'failure'
  /** How many events within one minute share this record; all other members describe the first event. */
  readonly count?: number
  /** Present only if `count` is present. Events with the same key share one record. */
  readonly countKey?: string
  /** The accounts in `actor` and `subject`, without duplicates. */
  readonly accounts: readonly AccountId[]
}

/**
 * Returns whether the recorded client belongs to this account: the account itself acted, or the actor is anonymous. If another account
 * acted on this account, the client belongs to the other account.
 */
export function isOfOwnClient({ accounts, actor }: AuditRecord, accountId: AccountId): boolean {
  return accounts.includes(accountId) && ownActors(accountId).includes(actor)
}

/** The values of `actor` for which the recorded client belongs to the account. */
export function ownActors(accountId: AccountId): readonly string[] {
  return [`account:${accountId}`, 'anonymous']
}

/** Removes the client's data, including `countKey`: this digest would reveal the network to anyone who tries all networks. */
export function withoutClient({
  address: _,
  requestId: __,
  countKey: ___,
  ...rest
}: AuditRecord): AuditRecord {
  return rest
}
