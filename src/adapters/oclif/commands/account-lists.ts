import { Flags } from '@oclif/core'
import type { SessionSummary } from '../../../application/access/sessions.js'
import type { UserSummary } from '../../../application/accounts/list-users.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { AccountId } from '../../../domain/identity/account.js'
import { OperatorError } from '../../../domain/refusal.js'
import { EMAIL_ARG, type Commands, booleanFlag, type CommandContext } from '../command.js'
import { afterFlag, eachPage, LIMIT_FLAG, list, onePage, PAGE_FLAGS, shownInstants } from '../list.js'

/** Commands that list accounts and an account's sessions. */
export const COMMANDS: Commands = {
  'user:list': list({
    summary: 'List the accounts in order of id, or search for accounts by email.',
    description:
      'Prints a table on a terminal; in a pipe or with --json, an array of {"id", "email", "roles", "createdAt", "disabledAt"}, one row per line. No hashes. With --email, --role or --disabled, searches for the accounts that match all of these options.',
    examples: [
      '<%= config.bin %> user list --limit 20 --newest-first',
      '<%= config.bin %> user list --limit 100 --after 100 --json',
      '<%= config.bin %> user list --email ada',
      '<%= config.bin %> user list --role editor --disabled --limit 100 --after ada@example.com',
    ],
    flags: {
      email: Flags.string({
        description: 'search: only accounts whose email begins with this text',
        helpValue: 'START',
      }),
      role: Flags.string({ description: 'search: only accounts that have this role', helpValue: 'KEY' }),
      disabled: booleanFlag('search: only accounts that are disabled'),
      after: afterFlag('the account with this id, or with this email in a search', 'ID|EMAIL'),
      ...PAGE_FLAGS,
    },
    usageError: usersError,
    pages: ({ listUsers }, choice) => {
      const ask = isSearch(choice) ? searchQuery(choice) : listQuery(choice)
      return eachPage<UserSummary>(
        ({ after, limit }) => listUsers({ caller: OPERATOR, limit, ...ask(after) }),
        choice.limit,
      )
    },
    row: ({ id, email, roles, createdAt, disabledAt }) => ({
      ...{ id, email, roles, ...shownInstants({ createdAt, disabledAt }) },
    }),
  }),
  'user:duplicates': list({
    summary: 'List the accounts that an earlier release created for the same email.',
    description:
      'Prints a table on a terminal; in a pipe or with --json, an array of {"canonicalEmail", "id", "email", "roles", "createdAt", "disabledAt"}, one row per line. Accounts with the same canonicalEmail have different spellings of one email. Each account keeps its spelling until the other accounts are deleted.',
    examples: ['<%= config.bin %> user duplicates'],
    pages: ({ listDuplicateUsers }) => onePage(listDuplicateUsers({ caller: OPERATOR })),
    row: ({ canonicalEmail, id, email, roles, createdAt, disabledAt }) => ({
      ...{ canonicalEmail, id, email, roles, ...shownInstants({ createdAt, disabledAt }) },
    }),
  }),
  'session:list': list({
    summary: 'List the active sessions of an account, oldest first.',
    description:
      'Prints a table on a terminal; in a pipe or with --json, an array of {"id", "createdAt", "refreshedAt", "idleEndsAt", "endsAt", "client", "network"}. No keys.',
    examples: ['<%= config.bin %> session list ada@example.com'],
    args: { email: EMAIL_ARG },
    flags: {
      after: afterFlag('the session with this id', 'ID'),
      ...LIMIT_FLAG,
    },
    pages: sessionsOf,
    row: ({ id, createdAt, refreshedAt, idleEndsAt, endsAt, client = null, network = null }) => ({
      ...{ id, ...shownInstants({ createdAt, refreshedAt, idleEndsAt, endsAt }), client, network },
    }),
  }),
}

const ID = /^[1-9]\d{0,14}$/

type UserChoice = {
  readonly email?: string | undefined
  readonly role?: string | undefined
  readonly disabled: boolean
  readonly after?: string | undefined
  readonly 'newest-first': boolean
}

function isSearch({ email, role, disabled }: UserChoice): boolean {
  return email !== undefined || role !== undefined || disabled
}

function usersError(choice: UserChoice): string | undefined {
  const { after } = choice
  if (!isSearch(choice))
    return after === undefined || ID.test(after)
      ? undefined
      : '--after must be the id of an account from the list, or an email together with --email, --role or --disabled.'
  if (choice['newest-first']) return '--newest-first applies to the list of all accounts, not to a search.'
  return after === undefined || after.includes('@')
    ? undefined
    : '--after must be an email if --email, --role or --disabled is given.'
}

type PageQuery = (last: UserSummary | undefined) => Partial<Parameters<CommandContext['listUsers']>[0]>

function searchQuery({ email, role, disabled, after }: UserChoice): PageQuery {
  return (last) => ({ email, role, onlyDisabled: disabled, after: last?.email ?? after })
}

function listQuery({ after, ...choice }: UserChoice): PageQuery {
  const order = choice['newest-first'] ? 'newest-first' : 'oldest-first'
  const begin = after === undefined ? undefined : (Number(after) as AccountId)
  return (last) => ({ after: last?.id ?? begin, order })
}

type SessionChoice = {
  readonly email: string
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** Reads all sessions, starting with the first, because sessions are not ordered by ID. */
async function* sessionsOf(
  { listSessions }: CommandContext,
  { email, after: begin, limit: most }: SessionChoice,
) {
  const pages = eachPage<SessionSummary>(({ after, limit }) =>
    listSessions({
      ...{ caller: OPERATOR, email, limit },
      after: after && { createdAt: after.createdAt, id: after.id },
    }),
  )
  let isFound = begin === undefined
  let left = most ?? Number.POSITIVE_INFINITY
  for await (const page of pages) {
    const at = isFound ? 0 : page.findIndex(({ id }) => id === begin) + 1
    isFound ||= at > 0
    const rows = isFound ? page.slice(at, at + left) : []
    left -= rows.length
    yield rows
    if (left === 0) return
  }
  if (!isFound)
    throw new OperatorError([
      '--after is not the id of an active session of this account: list from the beginning.',
    ])
}
