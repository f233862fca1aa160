import { Args, Command, Flags } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { STORE_FLAGS } from '../flags.js'
import { conveniencePassword } from '../password/convenience.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'
import { noteOutlivingTokens } from '../account-task.js'
import { parsePasswordInput } from '../password/input.js'
import { runTask } from '../task.js'

const DEFAULT_MODEL_NAME = 'User'

const ARGS = {
  email: Args.string({ description: 'email of the account', ignoreStdin: true }),
  password: Args.string({ description: 'password; better not given here', ignoreStdin: true }),
}
const FLAGS = {
  'password-stdin': Flags.boolean({ description: 'read the password from standard input' }),
  all: Flags.boolean({ description: 'set the password of every account' }),
  ...STORE_FLAGS,
}

export function createUserPassword(open: OpenCommandContext): Command.Class {
  return class UserPassword extends Command {
    static override summary = 'Set the password of one account, or with --all of every account.'
    static override description =
      'Ends the sessions of the account. Prints {"User": {"matched": 1, "save": 1, "errors": []}}, keyed by USER_MODEL_NAME.'
    static override examples = [
      '<%= config.bin %> user password ada@example.com --password-stdin < password.txt',
      '<%= config.bin %> user password ada@example.com',
    ]
    static override args = ARGS
    static override flags = FLAGS

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: FLAGS })
      const target = parseTarget(this, args.email, flags)
      const typed = await parsePasswordInput(this, args.password, flags['password-stdin'])
      await runTask(
        this,
        { open, ...flags },
        async (operation) => {
          const counts = await setPasswords(this, operation, target, typed)
          noteOutlivingTokens(this, operation)
          return { [operation.userModelName]: { ...counts, errors: [] } }
        },
        (errors, operation) => ({
          [operation?.userModelName ?? DEFAULT_MODEL_NAME]: { matched: 0, save: 0, errors },
        }),
      )
    }
  }
}

/** One email, or `undefined` for all accounts. */
function parseTarget(
  command: Command,
  email: string | undefined,
  flags: { readonly all: boolean; readonly 'password-stdin': boolean },
): string | undefined {
  if (email !== undefined && flags.all) return command.error('Give an email or --all, not both.', { exit: 2 })
  if (email !== undefined) return email
  if (flags['password-stdin']) return command.error('--password-stdin needs an email.', { exit: 2 })
  if (flags.all) return undefined
  return command.error('Give the email of an account; --all means every account.', { exit: 2 })
}

async function setPasswords(
  command: Command,
  { setPassword, setAllPasswords, passwordOrHash, production }: CommandContext,
  email: string | undefined,
  typed: string | undefined,
): Promise<{ matched: number; save: number }> {
  const given = typed === undefined ? undefined : passwordOrHash(typed)
  if (email !== undefined) {
    const convenience = () => ({ password: conveniencePassword(command, production, email), anyLength: true })
    await setPassword({ caller: OPERATOR, email, ...(given ?? convenience()) })
    return { matched: 1, save: 1 }
  }
  if (given?.passwordHash !== undefined) return await setAllPasswords({ caller: OPERATOR, ...given })
  if (given !== undefined) return await setAllPasswords({ caller: OPERATOR, password: () => given.password })
  conveniencePassword(command, production, 'the email of each account')
  return await setAllPasswords({
    caller: OPERATOR,
    password: (account) => account.email,
    anyLength: true,
  })
}
