import type { Role, RoleKey } from '../../domain/access/role.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import { createAscending, type Ascending } from './ascending.js'
import { createSessionTable, type SessionTable } from './session-table.js'

/** What the ports of one memory store have in common. Records in it are replaced, never changed. */
export type State = {
  readonly accounts: Ascending<AccountId, Account>
  readonly accountIds: Map<Email, AccountId>
  readonly roles: Map<RoleKey, Role>
  readonly sessions: SessionTable
}

export function createState(): State {
  return {
    accounts: createAscending(),
    accountIds: new Map(),
    roles: new Map(),
    sessions: createSessionTable(),
  }
}

export function accountOfEmail(state: State, email: Email): Account | undefined {
  const id = state.accountIds.get(email)
  return id === undefined ? undefined : state.accounts.get(id)
}
