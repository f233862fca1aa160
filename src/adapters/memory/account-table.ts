import type { Account, AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { AccountSearch } from '../../ports/accounts.js'
import { createAscending, lowerBound, type Ascending } from './ascending.js'

/** Accounts indexed by ID and by email, with sorted lists of emails for `search`. */
export type AccountTable = Ascending<AccountId, Account> & {
  withEmail(email: Email): Account | undefined
  search(search: AccountSearch): Account[]
}

export function createAccountTable(): AccountTable {
  const rows = createAscending<AccountId, Account>()
  const ids = new Map<Email, AccountId>()
  /** Lists of emails, keyed by list name; each list is sorted by code unit. */
  const lists = new Map<string, Email[]>()

  function withEmail(email: Email): Account | undefined {
    const id = ids.get(email)
    return id === undefined ? undefined : rows.get(id)
  }

  function listOf(name: string): Email[] {
    const list = lists.get(name) ?? []
    lists.set(name, list)
    return list
  }

  /** Removes an email from the lists that are only in `before`, and adds it to the lists that are only in `after`. */
  function moveEmail(email: Email, before: readonly string[], after: readonly string[]): void {
    for (const list of before.filter((name) => !after.includes(name)).map(listOf))
      list.splice(indexOf(list, email), 1)
    for (const list of after.filter((name) => !before.includes(name)).map(listOf))
      list.splice(indexOf(list, email), 0, email)
  }

  return {
    ...rows,
    withEmail,
    add(make) {
      const id = rows.add(make)
      const account = rows.get(id) as Account
      ids.set(account.email, id)
      moveEmail(account.email, [], listsOf(account))
      return id
    },
    replace(id, account) {
      const before = rows.get(id)
      rows.replace(id, account)
      if (before && before.email !== account.email) {
        ids.delete(before.email)
        ids.set(account.email, id)
        moveEmail(before.email, listsOf(before), [])
        moveEmail(account.email, [], listsOf(account))
        return
      }
      const hasSameLists = before?.roles === account.roles && before.disabledAt === account.disabledAt
      if (before && !hasSameLists) moveEmail(account.email, listsOf(before), listsOf(account))
    },
    delete(id) {
      const account = rows.get(id)
      if (!account) return false
      ids.delete(account.email)
      moveEmail(account.email, listsOf(account), [])
      return rows.delete(id)
    },
    search({ start = '', role = '', onlyDisabled = false, after = '', limit }) {
      const list = listOf(listName(role, onlyDisabled))
      const first = indexOf(list, after > start ? after : start)
      const found = list.slice(first, first + limit + 1).filter((email) => email !== after)
      const emails = found.filter((email) => email.startsWith(start)).slice(0, limit)
      return emails.flatMap((email) => withEmail(email) ?? [])
    },
  }
}

/** Returns the index of the first email that is not less than the given string. */
function indexOf(list: readonly Email[], text: string): number {
  return lowerBound(list, (one) => one >= text)
}

/**
 * Returns the names of the lists that contain the account: the list of all accounts and a list for each role. A disabled account is also in
 * the corresponding lists of disabled accounts.
 */
function listsOf({ roles, disabledAt }: Account): string[] {
  const names = ['', ...roles.map(({ key }) => key)]
  const enabled = names.map((role) => listName(role, false))
  return disabledAt === undefined ? enabled : [...enabled, ...names.map((role) => listName(role, true))]
}

function listName(role: string, onlyDisabled: boolean): string {
  return onlyDisabled ? `${role} disabled` : role
}
