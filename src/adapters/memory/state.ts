import type { ApiKey, ApiKeyId } from '../../domain/access/api-key.js'
import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Account, AccountId, Epoch } from '../../domain/identity/account.js'
import type { Passkey, PasskeyId } from '../../domain/identity/passkey.js'
import type { Proof, ProofId } from '../../domain/identity/proof.js'
import type { StoredSecondFactor } from '../../domain/identity/second-factor.js'
import type { Session } from '../../domain/identity/session.js'
import { createAccountTable, createSessionTable } from './tables.js'
import { createAscending } from './collections.js'

export type State = ReturnType<typeof createState>

/** Creates the state that the ports of a memory store share. Records are replaced, never mutated. */
export function createState() {
  return {
    accounts: createAccountTable(),
    secondFactors: new Map<AccountId, StoredSecondFactor>(),
    passkeys: new Map<PasskeyId, Passkey>(),
    proofs: new Map<ProofId, Proof>(),
    roles: new Map<RoleKey, Role>(),
    apiKeys: createAscending<ApiKeyId, ApiKey>(),
    sessions: createSessionTable(),
  }
}

/** Stores the account with the next epoch, which ends its earlier sessions. Returns the number of active sessions that ended. */
export function bumpEpoch(state: State, account: Account): number {
  const ended = state.sessions.ofAccount(account.id)
  const active = ended.filter((session) => ownerOf(state, session)).length
  state.accounts.replace(account.id, { ...account, epoch: (account.epoch + 1) as Epoch })
  for (const session of ended) state.sessions.remove(session)
  return active
}

/**
 * Returns the account of a session, unless a change to the account or to the actor has ended the session. Does not check whether the
 * session has expired.
 */
export function ownerOf(
  { accounts }: Pick<State, 'accounts'>,
  { accountId, epoch, actor }: Session,
): Account | undefined {
  if (actor && !ifActive(accounts.get(actor.accountId), actor.epoch)) return undefined
  return ifActive(accounts.get(accountId), epoch)
}

function ifActive(account: Account | undefined, epoch: Epoch): Account | undefined {
  return account?.disabledAt === undefined && account?.epoch === epoch ? account : undefined
}

/** Returns the distinct roles with these keys, sorted by key, or the first unknown key. */
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

/** Compares role keys by code unit, as all stores do. */
export function byKey(left: Role, right: Role): number {
  if (left.key === right.key) return 0
  return left.key < right.key ? -1 : 1
}
