import { roleKey, type RoleKey } from '../../domain/access/role.js'
import { shownEmail, type Account, type AccountId } from '../../domain/identity/account.js'
import { emailBefore, emailStart, formerEmail, type Email } from '../../domain/identity/email.js'
import type { AuditRecord } from '../../domain/audit.js'
import type { Session } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import { MUST_BE } from '../../domain/messages.js'
import { accepted, isPositiveInteger } from '../../domain/parsed.js'
import { defined } from '../../domain/plain-data.js'
import type { Accounts, AccountSearch } from '../../ports/accounts.js'
import type { AuditLog } from '../../ports/audit-log.js'
import type { Roles } from '../../ports/roles.js'
import { unknownRole } from '../access/roles.js'
import { fields, flag, malformed, optional, parseFields, text, that, type ReadBy } from '../fields.js'
import { count, order } from '../inputs.js'
import { operation } from '../operation.js'
import { pagesOf } from '../pages.js'
import { namedAccount } from './named-account.js'

/** The public view of an account, without hash and epoch. */
export type UserSummary = {
  readonly id: AccountId
  readonly email: Email
  readonly roles: readonly RoleKey[]
  readonly createdAt: Instant
  readonly disabledAt?: Instant
}

/** Without `roles`, a misspelled role cannot be distinguished from a role that no account has. */
type Parts = { accounts: Accounts; roles?: Roles | undefined }

const idOrEmail = that<AccountId | string>(
  MUST_BE.idOrEmail,
  (value) => typeof value === 'string' || isPositiveInteger(value),
)

const input = fields({
  /** Only accounts whose emails begin with this string, regardless of case. */
  email: optional(text),
  role: optional(text),
  onlyDisabled: optional(flag),
  /** The last account of the previous page: its ID, or its email in a search. This account may have been deleted in the meantime. */
  after: optional(idOrEmail),
  limit: count,
  /** The sort order of a list by ID; not allowed in a search. */
  order: optional(order),
})

type Input = ReadBy<typeof input>

/**
 * Returns all accounts by ascending ID or newest first, or the results of a search, sorted by email. Returns at most `limit` accounts; a
 * page with fewer accounts is the last page. Refuses the call with `malformed` (`after` or `order` does not suit the kind of list),
 * `invalid` (a malformed email prefix, role key or `after`) or `not-found` (an unknown role).
 */
export const listUsers = operation({
  permission: ['user', 'list'],
  input,
  parts: ['accounts', 'roles'],
  optional: ['roles'],
  run:
    (parts) =>
    async ({ caller: _, ...asked }): Promise<readonly UserSummary[]> =>
      (await (isSearch(asked) ? searchAccounts(parts, asked) : page(parts, asked))).map(summaryOf),
})

export function summaryOf(account: Account): UserSummary {
  const { id, roles, createdAt, disabledAt } = account
  const keys = roles.map(({ key }) => key)
  return { id, email: shownEmail(account), roles: keys, createdAt, ...defined({ disabledAt }) }
}

/** Whether the accounts are sorted by email, so that a page begins after an email, not after an ID. */
export function isSearch({ email: start, role, onlyDisabled = false }: Partial<Input>): boolean {
  return start !== undefined || role !== undefined || onlyDisabled
}

async function page({ accounts }: Parts, { after, limit, order }: Input): Promise<readonly Account[]> {
  if (typeof after === 'string') throw malformed('after', `${MUST_BE.id} without a search`)
  return await accounts.page(after, limit, order)
}

async function searchAccounts({ accounts, roles }: Parts, input: Input): Promise<readonly Account[]> {
  if (typeof input.after === 'number') throw malformed('after', 'must be an email in a search')
  if (input.order !== undefined)
    throw malformed('order', 'cannot be combined with a search, because search results are sorted by email')
  const search = await continueSearch(accounts, searchOf(input), input.after)
  const page = await accounts.search(search)
  // The page may be empty because the role is misspelled.
  if (page.length === 0 && search.role !== undefined) await assertKnown(roles, search.role)
  return page
}

function searchOf({ email: start, role, onlyDisabled = false, after, limit }: Input): AccountSearch {
  const { email, ...parsed } = parseFields({
    email: start === undefined ? accepted(undefined) : emailStart(start),
    role: role === undefined ? accepted(undefined) : roleKey(role),
    after: after === undefined ? accepted(undefined) : emailBefore(String(after)),
  })
  return { limit, onlyDisabled, ...defined({ start: email, ...parsed }) }
}

/** Continues the list after the last account's stored email, which is not always canonical. */
async function continueSearch(
  accounts: Accounts,
  search: AccountSearch,
  text: string | undefined,
): Promise<AccountSearch> {
  if (search.after === undefined || text === undefined) return search
  const last = await accounts.findByEmail(search.after, formerEmail(text))
  return last ? { ...search, after: last.email } : search
}

async function assertKnown(roles: Roles | undefined, role: RoleKey): Promise<void> {
  if (roles && !(await roles.list()).some(({ key }) => key === role)) throw unknownRole(role)
}

/** An account from an earlier release that has the same canonical email as another account. */
export type DuplicateUser = UserSummary & { readonly canonicalEmail: Email }

const PAGE = 500

/**
 * Returns the accounts whose canonical email is not unique, sorted by that email, then by ID. Only releases up to 0.7.0 could create such
 * accounts. Reads all accounts.
 */
export const listDuplicateUsers = operation({
  permission: ['user', 'list'],
  input: fields({}),
  parts: ['accounts'],
  run:
    ({ accounts }) =>
    async (): Promise<readonly DuplicateUser[]> => {
      const groups = new Map<Email, DuplicateUser[]>()
      const pages = pagesOf(PAGE, (last: Account | undefined) => accounts.page(last?.id, PAGE))
      for await (const page of pages) {
        for (const { sharedEmail: canonicalEmail, ...account } of page)
          if (canonicalEmail !== undefined)
            groups.set(canonicalEmail, [
              ...(groups.get(canonicalEmail) ?? []),
              { ...summaryOf(account), canonicalEmail },
            ])
      }
      // An account is no longer a duplicate once no other account has its email.
      const shared = [...groups].filter(([, users]) => users.length > 1)
      return shared.sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, users]) => users)
    },
})

/** The public view of one account, without hash, epoch or session keys. */
export type UserDetails = UserSummary & {
  readonly sessions: {
    /** The number of active sessions, counted up to 100. */
    readonly active: number
    readonly more: boolean
  }
  readonly secondFactor: boolean
  /** The time of the last login, if known: from the newest 500 logins in the audit log, otherwise from the active sessions. */
  readonly lastLoginAt?: Instant
}

const SESSIONS_SHOWN = 100
/** How many audit log pages are searched for a successful login; limited, because a stranger can cause any number of failed logins. */
const LOGIN_PAGES = 5
const LOGIN_PAGE = 100

/**
 * Returns one account by its email, with the data that support staff need. The cost does not grow with the number of accounts, and the
 * amount of data read for this account is limited. Refuses the call with `invalid` or `not-found`.
 */
export const getUser = operation({
  permission: ['user', 'show'],
  input: fields({ email: text }),
  parts: ['accounts', 'sessions', 'auditLog', 'clock'],
  optional: ['auditLog'],
  run:
    (parts) =>
    async ({ email }): Promise<UserDetails> => {
      const account = await namedAccount(parts.accounts, email)
      const request = { accountId: account.id, limit: SESSIONS_SHOWN + 1, at: parts.clock() }
      const sessions = await parts.sessions.pageOf(request)
      const lastLoginAt = (await recordedLogin(parts.auditLog, account)) ?? newestLogin(sessions)
      return {
        ...summaryOf(account),
        sessions: {
          active: Math.min(sessions.length, SESSIONS_SHOWN),
          more: sessions.length > SESSIONS_SHOWN,
        },
        secondFactor: account.secondFactor !== undefined,
        ...defined({ lastLoginAt }),
      }
    },
})

async function recordedLogin(
  auditLog: AuditLog | undefined,
  { id: accountId }: Account,
): Promise<Instant | undefined> {
  if (!auditLog) return undefined
  const newest = { accountId, event: 'login', order: 'newest-first', limit: LOGIN_PAGE } as const
  let left = LOGIN_PAGES
  const read = (last?: AuditRecord) => auditLog.page({ ...newest, ...(last && { after: last.id }) })
  for await (const page of pagesOf(LOGIN_PAGE, read)) {
    left -= 1
    const success = page.find(({ outcome }) => outcome === 'success')
    if (success || left === 0) return success?.at
  }
  return undefined
}

/** Ignores sessions in which another account impersonates this account, because they are not the owner's logins. */
function newestLogin(sessions: readonly Session[]): Instant | undefined {
  const own = sessions.filter(({ actor }) => !actor).map(({ createdAt }) => createdAt)
  return own.length > 0 ? Math.max(...own) : undefined
}
