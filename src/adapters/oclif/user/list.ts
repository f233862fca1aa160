import { Command, Flags } from '@oclif/core'
import type { UserSummary } from '../../../application/accounts/list-users.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { AccountId } from '../../../domain/identity/account.js'
import { JSON_FLAG, PAGE_FLAGS, STORE_FLAGS } from '../flags.js'
import { runList } from '../list.js'
import { eachPage, shownInstant, type Row } from '../rows.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'

const FLAGS = {
  after: Flags.integer({
    description: 'go on behind the account of this id, the last of a list before',
    min: 1,
    helpValue: 'ID',
  }),
  ...PAGE_FLAGS,
  ...JSON_FLAG,
  ...STORE_FLAGS,
}

type Choice = {
  readonly after: number | undefined
  readonly limit: number | undefined
  readonly 'newest-first': boolean
}

export function createUserList(open: OpenCommandContext): Command.Class {
  return class UserList extends Command {
    static override summary = 'List the accounts, by id.'
    static override description =
      'A table on a terminal; in a pipe or with --json an array of {"id", "email", "roles", "createdAt", "disabledAt"}, a row on each line. No hashes.'
    static override examples = [
      '<%= config.bin %> user list',
      '<%= config.bin %> user list --limit 20 --newest-first',
      '<%= config.bin %> user list --limit 100 --after 100 --json',
    ]
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      await runList(this, { open, ...flags }, (operation) => usersOf(operation, flags))
    }
  }
}

async function* usersOf({ listUsers }: CommandContext, choice: Choice): AsyncGenerator<readonly Row[]> {
  const order = choice['newest-first'] ? 'newest-first' : 'oldest-first'
  const begin = choice.after as AccountId | undefined
  const pages = eachPage<UserSummary>(
    async ({ after, limit }) =>
      await listUsers({ caller: OPERATOR, after: after?.id ?? begin, limit, order }),
    choice.limit,
  )
  for await (const page of pages) yield page.map(rowOf)
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
