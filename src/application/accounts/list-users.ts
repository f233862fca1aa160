import type { RoleKey } from '../../domain/access/role.js'
import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Instant } from '../../domain/instant.js'
import type { Accounts } from '../../ports/accounts.js'
import type { PageOrder } from '../../ports/page-order.js'
import { assertProven, type Authorized } from '../access/authorize.js'

/** What may be shown of an account: no hash, no epoch. */
export type UserSummary = {
  readonly id: AccountId
  readonly email: Email
  readonly roles: readonly RoleKey[]
  readonly createdAt: Instant
  readonly disabledAt?: Instant
}

/**
 * Accounts with an id above `after`, ascending, at most `limit`, or newest first those with an id below it; a page
 * that is shorter is the last one. Refuses with `forbidden`.
 */
export type ListUsers = (input: {
  authorized: Authorized<'user', 'list'>
  after?: AccountId | undefined
  limit: number
  order?: PageOrder | undefined
}) => Promise<readonly UserSummary[]>

/** Takes the proof of `user: list`. */
export function createListUsers(parts: { accounts: Accounts }): ListUsers {
  return async ({ authorized, after, limit, order }) => {
    assertProven(authorized)
    return (await parts.accounts.page(after, limit, order)).map(summaryOf)
  }
}

function summaryOf({ id, email, roles, createdAt, disabledAt }: Account): UserSummary {
  const shown = { id, email, roles: roles.map((role) => role.key), createdAt }
  return disabledAt === undefined ? shown : { ...shown, disabledAt }
}
