import type { Account } from '../../../../src/domain/identity/account.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { Accounts, AccountSearch } from '../../../../src/ports/accounts.js'
import { breakageOf, type Breakage } from '../breakage.js'

const broken = breakageOf('accounts')
const BEGINNING = 'a search finds the accounts whose emails begin with a text, in the order of the emails'
const AS_READ = 'a search gives accounts as every read does'
const BY_ROLE = 'a search by role finds the accounts that have it now'
const DISABLED = 'a search for disabled accounts finds those that are disabled now'
const TOGETHER = 'of a search all conditions hold together, whatever was changed last'
const PAGES = 'pages of a search go on after an email, also of an account that is gone'
const ANY = 'emails of any characters are found by how they begin, and a walk shows each once'

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

function isAfter({ email }: Account, { after }: AccountSearch): boolean {
  return after === undefined || email > after
}

function hasRole({ roles }: Account, { role }: AccountSearch): boolean {
  return role === undefined || roles.some(({ key }) => key === role)
}

function isAsDisabled({ disabledAt }: Account, { onlyDisabled = false }: AccountSearch): boolean {
  return !onlyDisabled || disabledAt !== undefined
}

export const brokenAccountSearches: readonly Breakage[] = [
  broken('a search looks for the text anywhere', [BEGINNING], (inner) =>
    searching(
      inner,
      (account, search) => account.email.includes(search.start ?? '') && isAfter(account, search),
    ),
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
  broken('a search shows of the roles the one that was asked for', [AS_READ], (inner) => ({
    search: async (search) =>
      (await inner.search(search)).map((account) => ({
        ...account,
        roles: account.roles.filter(({ key }) => key === (search.role ?? key)),
      })),
  })),
  broken('a search by role finds those who had it', [BY_ROLE, TOGETHER], (inner) => {
    const had = new Map<Email, Set<string>>()
    return searching(inner, (account, search) => {
      const keys = had.get(account.email) ?? new Set()
      for (const { key } of account.roles) keys.add(key)
      had.set(account.email, keys)
      return (
        (!search.role || keys.has(search.role)) && isAsDisabled(account, search) && isAfter(account, search)
      )
    })
  }),
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
  broken('a search for all accounts finds the enabled ones', [DISABLED], (inner) =>
    searching(
      inner,
      (account, search) => (search.onlyDisabled ?? false) === (account.disabledAt !== undefined),
    ),
  ),
  broken('of several conditions the role is heeded alone', [TOGETHER], (inner) => ({
    search: ({ role, ...search }) =>
      inner.search(
        role === undefined
          ? search
          : { role, limit: search.limit, ...(search.after && { after: search.after }) },
      ),
  })),
  broken('of several conditions one is enough', [TOGETHER], (inner) =>
    searching(
      inner,
      (account, search) =>
        account.email.startsWith(search.start ?? '-') ||
        (search.role !== undefined && hasRole(account, search)) ||
        (search.onlyDisabled === true && isAsDisabled(account, search)),
    ),
  ),
  broken('a page of a search begins with the one that it goes on after', [PAGES], (inner) =>
    searching(
      inner,
      (account, search) =>
        account.email >= (search.after ?? '') && hasRole(account, search) && isAsDisabled(account, search),
    ),
  ),
  broken('a page of a search goes on after an account that is there only', [PAGES], (inner) => ({
    async search(search) {
      const isThere = search.after === undefined || (await inner.findByEmail(search.after))
      return isThere ? await inner.search(search) : []
    },
  })),
  broken('of a text that was searched for what comes after @ is left out', [ANY], (inner) =>
    searching(inner, (account, search) => /^[\w@.]*$/.test(account.email) && isAfter(account, search)),
  ),
]

function matches(email: string, pattern: string): boolean {
  try {
    return new RegExp(`^${pattern}`, 'u').test(email)
  } catch {
    return false
  }
}
