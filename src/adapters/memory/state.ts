import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { Session } from '../../domain/identity/session.js'
import type { IssuedResetToken } from '../../domain/identity/reset-token.js'
import { createAccountTable, type AccountTable } from './account-table.js'
import { byKey } from './copies.js'
import { createSessionTable, type SessionTable } from './session-table.js'

/** What the ports of one memory store have in common. Records in it are replaced, never changed. */
export type State = {
  readonly accounts: AccountTable
  /** The newest ones, the newest last; each in force while its epoch is the account's. */
  readonly resetTokens: Map<AccountId, readonly (IssuedResetToken & { readonly epoch: Epoch })[]>
  readonly secondFactors: Map<AccountId, StoredSecondFactor>
  readonly roles: Map<RoleKey, Role>
  readonly sessions: SessionTable
}

export function createState(): State {
  return {
    accounts: createAccountTable(),
    resetTokens: new Map(),
    secondFactors: new Map(),
    roles: new Map(),
    sessions: createSessionTable(),
  }
}

/**
 * Puts the account back with its epoch bumped by one, which ends every earlier session, and takes
 * their rows away. Returns how many were active by then.
 */
export function bumpEpoch(state: State, account: Account): number {
  const ended = state.sessions.ofAccount(account.id)
  const active = ended.filter((session) => ownerOf(state, session)).length
  state.accounts.replace(account.id, { ...account, epoch: (account.epoch + 1) as Epoch })
  for (const session of ended) state.sessions.remove(session)
  return active
}

/** The account of a session that it and the actor's keep alive; its ends are another matter. */
export function ownerOf(
  { accounts }: Pick<State, 'accounts'>,
  { accountId, epoch, actor }: Session,
): Account | undefined {
  if (actor && !whileAlive(accounts.get(actor.accountId), actor.epoch)) return undefined
  return whileAlive(accounts.get(accountId), epoch)
}

/** The account, while it lets the sessions of this epoch live. */
function whileAlive(account: Account | undefined, epoch: Epoch): Account | undefined {
  return account?.disabledAt === undefined && account?.epoch === epoch ? account : undefined
}

/** The roles of these keys, each once, in the order of their keys; or the first key that is no role's. */
export function rolesOfKeys(
  { roles }: State,
  keys: readonly RoleKey[],
): { readonly roles: readonly Role[] } | { readonly unknown: RoleKey } {
  const found = new Map<RoleKey, Role>()
  for (const key of keys) {
    const role = roles.get(key)
    if (!role) return { unknown: key }
    found.set(key, role)
  }
  return { roles: [...found.values()].sort(byKey) }
}
