import { ANONYMOUS, type Caller } from '../../src/domain/access/caller.js'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'

/** A logged-in user with the roles `admin` and `cli`; `cli` is also the operator's role. */
const ADMINISTRATOR: Caller = {
  kind: 'account',
  accountId: 1 as AccountId,
  email: 'ada@example.com' as Email,
  roles: ['admin', 'cli'].map((key) => ({ uuid: key, key: key as RoleKey, label: key })),
}

export const OUTSIDERS: readonly (readonly [Caller, string])[] = [
  [ANONYMOUS, 'unauthenticated'],
  [ADMINISTRATOR, 'forbidden'],
  [{ kind: 'api-key', apiKeyId: 1, roles: ADMINISTRATOR.roles }, 'forbidden'],
]
