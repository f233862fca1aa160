import { Command, Flags } from '@oclif/core'
import type { UserSummary } from '../../../application/accounts/list-users.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { AccountId } from '../../../domain/identity/account.js'
import { JSON_FLAG, PAGE_FLAGS, STORE_FLAGS } from '../flags.js'
import { runList } from '../list.js'
import { eachPage, shownInstant, type Row } from '../rows.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'

const FLAGS = {
  email: Flags.string({
    description: 'search: only accounts whose email begins with this',
    helpValue: 'START',
  }),
  role: Flags.string({ description: 'search: only accounts that have this role', helpValue: 'KEY' }),
  disabled: Flags.boolean({ description: 'search: only accounts that are disabled' }),
  after: Flags.string({
    description: 'go on behind the account of this id, in a search of this email, the last of a list before',
    helpValue: 'ID|EMAIL',
  }),
  ...PAGE_FLAGS,
  ...JSON_FLAG,
  ...STORE_FLAGS,
}

const ID = /^[1-9]\d{0,14}$/

type Choice = {
  readonly email: string | undefined
  readonly role: string | undefined
  readonly disabled: boolean
  readonly after: string | undefined
  readonly limit: number | undefined
  readonly 'newest-first': boolean
}

export function createUserList(open: OpenCommandContext): Command.Class {
  return class UserList extends Command {
    static override summary = 'List the accounts, by id, or search for some, by email.'
    static override description =
      'A table on a terminal; in a pipe or with --json an array of {"id", "email", "roles", "createdAt", "disabledAt"}, a row on each line. No hashes. With --email, --role or --disabled it searches: what is asked for holds together.'
    static override examples = [
      '<%= config.bin %> user list --limit 20 --newest-first',
      '<%= config.bin %> user list --limit 100 --after 100 --json',
      '<%= config.bin %> user list --email ada',
      '<%= config.bin %> user list --role editor --disabled --limit 100 --after ada@example.com',
    ]
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      const error = usageError(flags)
      if (error !== undefined) this.error(error, { exit: 2 })
      await runList(this, { open, ...flags }, (operation) => usersOf(operation, flags))
    }
  }
}

function isSearch({ email, role, disabled }: Choice): boolean {
  return email !== undefined || role !== undefined || disabled
}

function usageError(choice: Choice): string | undefined {
  const { after } = choice
  if (!isSearch(choice))
    return after === undefined || ID.test(after)
      ? undefined
      : '--after is the id of an account, as the list shows it; an email only with --email, --role or --disabled.'
  if (choice['newest-first']) return '--newest-first is of the list of all accounts; a search is by email.'
  return after === undefined || after.includes('@')
    ? undefined
    : '--after is an email where --email, --role or --disabled is given.'
}

async function* usersOf({ listUsers }: CommandContext, choice: Choice): AsyncGenerator<readonly Row[]> {
  const ask = isSearch(choice) ? searching(choice) : walking(choice)
  const pages = eachPage<UserSummary>(
    async ({ after, limit }) => await listUsers({ caller: OPERATOR, limit, ...ask(after) }),
    choice.limit,
  )
  for await (const page of pages) yield page.map(rowOf)
}

/** What differs from page to page: where it goes on. */
type Ask = (last: UserSummary | undefined) => Partial<Parameters<CommandContext['listUsers']>[0]>

function searching({ email, role, disabled, after }: Choice): Ask {
  return (last) => ({ email, role, onlyDisabled: disabled, after: last?.email ?? after })
}

function walking({ after, ...choice }: Choice): Ask {
  const order = choice['newest-first'] ? 'newest-first' : 'oldest-first'
  const begin = after === undefined ? undefined : (Number(after) as AccountId)
  return (last) => ({ after: last?.id ?? begin, order })
}

function rowOf({ id, email, roles, createdAt, disabledAt }: UserSummary): Row {
  return {
    id,
    email,
    roles,
    createdAt: shownInstant(createdAt),
    disabledAt: shownInstant(disabledAt),
  }
}
