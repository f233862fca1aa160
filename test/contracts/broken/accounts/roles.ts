import type { RoleKey } from '../../../../src/domain/access/role.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { NewAccount } from '../../../../src/ports/accounts.js'
import type { Store } from '../../../../src/ports/store.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('accounts')
const GIVES = 'insert with roles gives them, to that account only'
const ONCE = 'a role that is asked for twice on insert is one membership'
const ALL_OR_NOTHING = 'insert with an unknown role makes nothing and leaves the email free'
const CASE = 'a role of another case is unknown on insert'
const TAKEN = 'an insert of a taken email is refused and changes nothing, whatever its roles are'
const OWN_ROLES =
  'of 16 inserts of one email with different roles at once exactly one is inserted, with its own roles'

export const brokenAccountRoles: readonly Breakage[] = [
  broken('insert leaves the roles out', [GIVES, ONCE, ALL_OR_NOTHING, CASE, OWN_ROLES], (inner) => ({
    insert: (account) => inner.insert(withRoles(account, [])),
  })),
  broken('insert gives the roles to everybody', [GIVES], (inner, { roles }) => ({
    async insert(account) {
      const answer = await inner.insert(account)
      for (const { email } of await inner.page(undefined, 100)) {
        for (const key of account.roles ?? []) await roles.assign(email, key)
      }
      return answer
    },
  })),
  broken(
    'an empty list of roles means all roles',
    ['insert with no roles in the list gives none'],
    (inner, { roles }) => ({
      async insert(account) {
        const all = (await roles.list()).map(({ key }) => key)
        return await inner.insert(account.roles?.length ? account : withRoles(account, all))
      },
    }),
  ),
  broken('a role that is asked for twice is two memberships', [ONCE], (inner) => {
    const asked = new Map<Email, readonly RoleKey[]>()
    return {
      async insert(account) {
        asked.set(account.email, account.roles ?? [])
        return await inner.insert(account)
      },
      async findByEmail(email) {
        const account = await inner.findByEmail(email)
        const times = (key: RoleKey) => asked.get(email)?.filter((one) => one === key).length ?? 1
        return (
          account && {
            ...account,
            roles: account.roles.flatMap((role) => Array.from({ length: times(role.key) }, () => role)),
          }
        )
      },
    }
  }),
  broken('roles are given one by one, up to the first that is unknown', [ALL_OR_NOTHING], (_, store) => ({
    insert: (account) => insertThenAssign(store, account, async () => undefined),
  })),
  broken(
    'an account whose roles are unknown is made and taken away again',
    ['an insert with an unknown role is never in the way of another of its email'],
    (inner, store) => ({
      insert: (account) =>
        insertThenAssign(store, account, async () => {
          await everybodyElse()
          const made = await inner.findByEmail(account.email)
          if (made) await inner.remove(made.id)
        }),
    }),
  ),
  broken('unknown roles are skipped', [ALL_OR_NOTHING, CASE], (inner, { roles }) => ({
    async insert(account) {
      const known = (await roles.list()).map(({ key }) => key)
      const asked = account.roles ?? []
      return await inner.insert(
        withRoles(
          account,
          asked.filter((key) => known.includes(key)),
        ),
      )
    },
  })),
  broken('an unknown role is made on the way', [ALL_OR_NOTHING, CASE], (inner, { roles }) => ({
    async insert(account) {
      for (const key of account.roles ?? []) await roles.insert({ uuid: key, key, label: key })
      return await inner.insert(account)
    },
  })),
  broken('roles of an insert are compared without regard to case', [CASE], (inner) => ({
    insert: (account) =>
      inner.insert(
        withRoles(
          account,
          (account.roles ?? []).map((key) => key.toLowerCase() as RoleKey),
        ),
      ),
  })),
  broken('roles are judged before the email', [TAKEN], (inner, { roles }) => ({
    async insert(account) {
      const known = (await roles.list()).map(({ key }) => key)
      const role = account.roles?.find((key) => !known.includes(key))
      return role === undefined ? await inner.insert(account) : { kind: 'unknown-role', role }
    },
  })),
  broken('an insert of a known email gives it the roles', [TAKEN], (inner, { roles }) => ({
    async insert(account) {
      const answer = await inner.insert(account)
      for (const key of account.roles ?? []) await roles.assign(account.email, key)
      return answer
    },
  })),
  broken(
    'the email is looked up, then the roles are given to its owner',
    [OWN_ROLES],
    (inner, { roles }) => ({
      async insert(account) {
        if (await inner.findByEmail(account.email)) return { kind: 'duplicate-email' }
        await everybodyElse()
        const answer = await inner.insert(account)
        for (const key of account.roles ?? []) await roles.assign(account.email, key)
        return answer
      },
    }),
  ),
]

function withRoles(account: NewAccount, roles: readonly RoleKey[]): NewAccount {
  return { ...account, roles }
}

/** The account first, its roles after it; `undo` runs where one of them is unknown. */
async function insertThenAssign(
  { accounts, roles }: Store,
  account: NewAccount,
  undo: () => Promise<void>,
): ReturnType<Store['accounts']['insert']> {
  const answer = await accounts.insert(withRoles(account, []))
  if (answer.kind !== 'inserted') return answer
  for (const role of account.roles ?? []) {
    if ((await roles.assign(account.email, role)) !== 'unknown-role') continue
    await undo()
    return { kind: 'unknown-role', role }
  }
  return answer
}
