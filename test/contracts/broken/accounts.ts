import type { Account, AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { NewAccount, Accounts, AccountSearch } from '../../../src/ports/accounts.js'
import { breakageOf, everybodyElse, idsInBlocks, nullFor, type Breakage, COPIES } from './breakage.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { Store } from '../../../src/ports/store.js'

const broken = breakageOf('accounts')
const ENTERED = 'an account is found by its canonical email, and keeps the email as it was entered'
const SHOWN = 'a login shows the email of its account as it was entered'
const OTHER_WAY = 'a second insert of an email that was entered in another way is refused and changes nothing'
const INSERT_RACE = 'of 16 inserts of one email at once exactly one is inserted'
const SECOND = 'a second insert of an email is refused and changes nothing'
const NO_PASSWORD = 'an account without a password has none'
const IN_ORDER =
  'of accounts made at once, one that was begun after another was acknowledged has the greater id'
const WALKS = 'walks beside inserts show every account that was acknowledged before, ascending and once'
const ROLES = 'every read gives the roles in the order of their keys'
const NO_ROLES = 'insert with no roles in the list gives none'
const IN_THE_WAY = 'an insert with an unknown role is never in the way of another of its email'
const IDS = 'ids increase and are not used again after remove'
const NEW = 'a new account of a removed email has another id and no roles'
const BACK = 'pages walk back over all accounts where the newest come first'
const GIVES = 'insert with roles gives them, to that account only'
const ONCE = 'a role that is asked for twice on insert is one membership'
const ALL_OR_NOTHING = 'insert with an unknown role makes nothing and leaves the email free'
const CASE = 'a role of another case is unknown on insert'
const TAKEN = 'an insert of a taken email is refused and changes nothing, whatever its roles are'
const OWN_ROLES =
  'of 16 inserts of one email with different roles at once exactly one is inserted, with its own roles'
const BEGINNING = 'a search finds the accounts whose emails begin with a text, in the order of the emails'
const AS_READ = 'a search gives accounts as every read does'
const BY_ROLE = 'a search by role finds the accounts that have it now'
const DISABLED = 'a search for disabled accounts finds those that are disabled now'
const TOGETHER = 'of a search all conditions hold together, whatever was changed last'
const PAGES = 'pages of a search go on after an email, also of an account that is gone'
const ANY = 'emails of any characters are found by how they begin, and a walk shows each once'

export const brokenAccounts: readonly Breakage[] = [
  broken('the email as it was entered is lost', [ENTERED, SHOWN], (inner) => ({
    insert: ({ enteredEmail: _, ...account }) => inner.insert(account),
  })),
  broken('accounts are stored under the email as it was entered', [ENTERED, SHOWN, OTHER_WAY], (inner) => ({
    insert: ({ enteredEmail, ...account }) =>
      inner.insert({ ...account, email: enteredEmail ?? account.email }),
  })),
  broken('the email is looked up before it is inserted, without a unique index', [INSERT_RACE], (inner) => {
    let copies = 0
    return {
      async insert(account) {
        if (await inner.findByEmail(account.email)) return { kind: 'duplicate-email' }
        await everybodyElse()
        const answer = await inner.insert(account)
        copies += 1
        return answer.kind === 'inserted'
          ? answer
          : await inner.insert({ ...account, email: `${account.email}#${copies}` as Email })
      },
    }
  }),
  broken('an insert of a known email writes over it', [SECOND], (inner) => ({
    async insert(account) {
      const found = await inner.findByEmail(account.email)
      if (!found) return await inner.insert(account)
      await inner.setPassword(found.id, account.passwordHash ?? ('' as PasswordHash))
      return { kind: 'inserted', id: found.id }
    },
  })),
  broken('epochs start at 0', ['insert makes an account with epoch 1 and no roles'], (inner) => ({
    find: async (id) => withEpochLess(await inner.find(id)),
    findByEmail: async (email) => withEpochLess(await inner.findByEmail(email)),
  })),
  broken('a missing password is kept as an empty one', [NO_PASSWORD], (inner) => ({
    insert: (account) => inner.insert({ passwordHash: '' as PasswordHash, ...account }),
  })),
  broken('each connection has a block of ids', [IN_ORDER], (inner) => {
    const inBlocks = idsInBlocks()
    return { insert: (account) => inBlocks(() => inner.insert(account)) }
  }),
  broken('pages come from a replica that lags behind', [WALKS], (inner) => {
    const late = new Set<AccountId>()
    return {
      async insert(account) {
        const answer = await inner.insert(account)
        if (answer.kind === 'inserted') {
          late.add(answer.id)
          void everybodyElse().then(() => late.delete(answer.id))
        }
        return answer
      },
      page: async (...inputs) => (await inner.page(...inputs)).filter(({ id }) => !late.has(id)),
    }
  }),
  broken('absence is null', ['an account that is not there is undefined'], (inner) => ({
    find: async (id) => nullFor(await inner.find(id)),
  })),
  broken('emails are normalised', ['emails and hashes are kept exactly'], (inner) => ({
    insert: (account) => inner.insert({ ...account, email: account.email.normalize('NFC') as Email }),
  })),
  broken('the id of the last account is given again after its removal', [IDS, NEW], (inner) => {
    const real = new Map<AccountId, AccountId>()
    let free: AccountId | undefined
    const realOf = (id: AccountId) => real.get(id) ?? id
    return {
      async insert(account) {
        const answer = await inner.insert(account)
        if (answer.kind !== 'inserted' || free === undefined) return answer
        real.set(free, answer.id)
        return { kind: 'inserted', id: free }
      },
      async find(id) {
        const account = await inner.find(realOf(id))
        return account && { ...account, id }
      },
      async remove(id) {
        free = id
        return await inner.remove(realOf(id))
      },
    }
  }),
  broken('roles are left out of look-ups by email', [ROLES], (inner) => ({
    async findByEmail(email) {
      const account = await inner.findByEmail(email)
      return account && { ...account, roles: [] }
    },
  })),
  broken('pages start at the beginning', ['pages walk over all accounts in ascending order'], (inner) => ({
    page: (_, limit, order) => inner.page(undefined, limit, order),
  })),
  broken('pages know one order', [BACK], (inner) => ({
    page: (after, limit) => inner.page(after, limit),
  })),
  broken('an account is kept as it was passed in', [COPIES], (inner) => {
    const kept = new Map<Email, NewAccount>()
    return {
      async insert(account) {
        kept.set(account.email, account)
        return await inner.insert(account)
      },
      async findByEmail(email) {
        const account = await inner.findByEmail(email)
        return account && { ...account, ...kept.get(email), roles: account.roles }
      },
    }
  }),
  broken('insert leaves the roles out', [GIVES, ONCE, ALL_OR_NOTHING, CASE, OWN_ROLES], (inner) => ({
    insert: (account) => inner.insert(withRoles(account, [])),
  })),
  broken('an empty list of roles means all roles', [NO_ROLES], (inner, { roles }) => ({
    async insert(account) {
      const all = (await roles.list()).map(({ key }) => key)
      return await inner.insert(account.roles?.length ? account : withRoles(account, all))
    },
  })),
  broken('roles are given one by one, up to the first that is unknown', [ALL_OR_NOTHING], (_, store) => ({
    insert: (account) => insertThenAssign(store, account, async () => undefined),
  })),
  broken('an account whose roles are unknown is made and taken away again', [IN_THE_WAY], (inner, store) => ({
    insert: (account) =>
      insertThenAssign(store, account, async () => {
        await everybodyElse()
        const made = await inner.findByEmail(account.email)
        if (made) await inner.remove(made.id)
      }),
  })),
  broken('roles are judged before the email', [TAKEN], (inner, { roles }) => ({
    async insert(account) {
      const known = (await roles.list()).map(({ key }) => key)
      const role = account.roles?.find((key) => !known.includes(key))
      return role === undefined ? await inner.insert(account) : { kind: 'unknown-role', role }
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
  broken('a search takes the text for a pattern', [BEGINNING, ANY], (inner) => ({
    async search(search) {
      const pattern = (search.start ?? '').replaceAll('%', '.*').replaceAll('_', '.')
      const all = await inner.search({ limit: 1_000 })
      return all.filter(({ email }) => matches(email, pattern)).slice(0, search.limit)
    },
  })),
  broken('a search gives accounts in the order of their ids', [BEGINNING, PAGES], (inner) => ({
    search: async (search) => (await inner.search(search)).toSorted((one, other) => one.id - other.id),
  })),
  broken('a search leaves the roles out', [AS_READ], (inner) => ({
    search: async (search) => (await inner.search(search)).map((account) => ({ ...account, roles: [] })),
  })),
  broken('a search by role finds what begins with its key', [BY_ROLE], (inner) =>
    searching(
      inner,
      (account, search) =>
        account.roles.some(({ key }) => key.startsWith((search.role ?? '').slice(0, 4))) || !search.role,
    ),
  ),
  broken('a search for disabled accounts finds all', [DISABLED, TOGETHER], (inner) => ({
    search: ({ onlyDisabled: _, ...search }) => inner.search(search),
  })),
]

function withEpochLess(account: Account | undefined): Account | undefined {
  return account && { ...account, epoch: (account.epoch - 1) as Epoch }
}

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

/** Looks at all accounts in the order of their emails; one condition of the search is another. */
function searching(
  inner: Accounts,
  fits: (account: Account, search: AccountSearch) => boolean,
): Pick<Accounts, 'search'> {
  return {
    async search(search) {
      const all = await inner.search({ limit: 1_000 })
      return all.filter((account) => fits(account, search)).slice(0, search.limit)
    },
  }
}

function matches(email: string, pattern: string): boolean {
  try {
    return new RegExp(`^${pattern}`, 'u').test(email)
  } catch {
    return false
  }
}
