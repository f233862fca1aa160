import { expect } from 'chai'
import { ANONYMOUS, type Caller } from '../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../src/domain/access/permissions.js'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'
import { refusalOf } from './refusal-of.js'

/** A logged-in user with a powerful role, and with a role whose key is the operator's: `cli`. */
const ADMINISTRATOR: Caller = {
  kind: 'account',
  accountId: 1 as AccountId,
  email: 'ada@example.com' as Email,
  roles: ['admin', 'cli'].map((key) => ({ uuid: key, key: key as RoleKey, label: key })),
}

/** Callers without operator rights, and the error code that each of them gets. */
export const OUTSIDERS: readonly (readonly [Caller, string])[] = [
  [ANONYMOUS, 'unauthenticated'],
  [ADMINISTRATOR, 'forbidden'],
  [{ kind: 'api-key', apiKeyId: 1, roles: ADMINISTRATOR.roles }, 'forbidden'],
]

/** Fails if the call accepts any outsider, or rejects it with another code. */
export async function expectRefusedToOutsiders(call: (caller: Caller) => Promise<unknown>): Promise<void> {
  for (const [caller, code] of OUTSIDERS)
    expect((await refusalOf(call(caller))).code, caller.kind).to.equal(code)
}

/** The default permissions, with the operator's role lacking these components. */
export function operatorWithout(...components: string[]): PermissionRules {
  const permitted = Object.entries(DEFAULT_PERMISSIONS.roles.cli.components)
  const left = Object.fromEntries(permitted.filter(([name]) => !components.includes(name)))
  return { roles: { ...DEFAULT_PERMISSIONS.roles, cli: { components: left } } }
}
