import { Args, Flags, type Command } from '@oclif/core'
import { OPERATOR } from '../../domain/access/caller.js'
import { Refusal } from '../../domain/refusal.js'
import { argument, command, STORE_FLAGS, type Commands, booleanFlag } from './command.js'
import { UsageError, type CommandContext } from './command-context.js'
import { readPassword } from './password-input.js'
import { noteOutlivingTokens, runTask, savedResult } from './task.js'
import { shownText } from './terminal-text.js'

const PASSWORD_ARG = Args.string({ description: 'password; safer with --password-stdin', ignoreStdin: true })
const STDIN_FLAG = {
  'password-stdin': booleanFlag('read the password from standard input'),
}
const DEFAULT_MODEL_NAME = 'User'

/** Commands that read a password. */
export const COMMANDS: Commands = {
  'user:create': command(
    {
      summary: 'Create a user account.',
      description:
        'Prints {"errors": [], "save": 1}. If the password is a hash in a format that can be imported, it is not hashed again. Outside production, an account without a password gets the part of its email before the @ as its password; production refuses that. --role also requires the permission of `user role`; no account is created if a role is not in the role table.',
      examples: [
        '<%= config.bin %> user create ada@example.com --password-stdin < password.txt',
        '<%= config.bin %> user create ada@example.com',
        '<%= config.bin %> user create ada@example.com --role editor --role author',
      ],
      args: { email: argument('email of the new account'), password: PASSWORD_ARG },
      flags: {
        ...STDIN_FLAG,
        role: Flags.string({
          description: 'key of a role to assign to the account',
          helpValue: 'ROLE',
          multiple: true,
          multipleNonGreedy: true,
        }),
        ...STORE_FLAGS,
      },
    },
    async (creating, { email, password }, flags, { open }) => {
      const typed = await readPassword(creating, password, flags['password-stdin'])
      const opening = { open, creating: 'outside-production', ...flags } as const
      await runTask(creating, opening, async ({ createUser, passwordOrHash, production }) => {
        const convenience = () => conveniencePassword(creating, production, email.split('@')[0] ?? '')
        const credential =
          typed === undefined ? { password: convenience(), anyLength: true } : passwordOrHash(typed)
        await createUser({ caller: OPERATOR, email, roles: flags.role, ...credential })
        return savedResult()
      })
    },
  ),
  'user:password': command(
    {
      summary: 'Set the password of one account or, with --all, of every account.',
      description:
        'Ends the sessions of the account, and forgets its failed logins, as `user unlock` does. Prints {"User": {"matched": 1, "save": 1, "errors": []}}, keyed by USER_MODEL_NAME. Outside production the password is the email of the account if none is given; production refuses that.',
      examples: [
        '<%= config.bin %> user password ada@example.com --password-stdin < password.txt',
        '<%= config.bin %> user password ada@example.com',
      ],
      args: {
        email: Args.string({ description: 'email or id of the account', ignoreStdin: true }),
        password: PASSWORD_ARG,
      },
      flags: {
        ...STDIN_FLAG,
        all: booleanFlag('set the password of every account'),
        ...STORE_FLAGS,
      },
    },
    async (setting, { email, password }, flags, { open }) => {
      const error = targetError(email, flags)
      if (error !== undefined) throw new UsageError(error)
      const typed = await readPassword(setting, password, flags['password-stdin'])
      await runTask(
        setting,
        { open, ...flags },
        async (context) => {
          const counts = await setPasswords(setting, context, email, typed)
          noteOutlivingTokens(setting, context)
          return { [context.userModelName]: { ...counts, errors: [] } }
        },
        (errors, context) => ({
          [context?.userModelName ?? DEFAULT_MODEL_NAME]: { matched: 0, save: 0, errors },
        }),
      )
    },
  ),
}

/** Returns a usage error unless the target is either one email or all accounts. */
function targetError(
  email: string | undefined,
  flags: { readonly all: boolean; readonly 'password-stdin': boolean },
): string | undefined {
  if (email !== undefined) return flags.all ? 'Specify either an email or --all, not both.' : undefined
  if (flags['password-stdin']) return '--password-stdin needs an email.'
  return flags.all ? undefined : 'Give the email of an account; --all means every account.'
}

const NO_PASSWORD_BY_ID =
  'Specify a password or the email of the account: without a password, the email becomes the password.'

async function setPasswords(
  command: Command,
  { setPassword, setAllPasswords, passwordOrHash, production }: CommandContext,
  email: string | undefined,
  typed: string | undefined,
): Promise<{ matched: number; save: number }> {
  const caller = OPERATOR
  const credential = typed === undefined ? undefined : passwordOrHash(typed)
  if (email !== undefined) {
    const convenience = () => {
      if (!email.includes('@')) throw new UsageError(NO_PASSWORD_BY_ID)
      return { password: conveniencePassword(command, production, email), anyLength: true }
    }
    await setPassword({ caller, email, ...(credential ?? convenience()) })
    return { matched: 1, save: 1 }
  }
  if (credential?.passwordHash !== undefined) return await setAllPasswords({ caller, ...credential })
  if (credential !== undefined) return await setAllPasswords({ caller, password: () => credential.password })
  conveniencePassword(command, production, 'the email of each account')
  return await setAllPasswords({ caller, password: (account) => account.email, anyLength: true })
}

/**
 * Returns the default password, which the specification requires and production rejects. Warns that the default password is easy to guess.
 */
function conveniencePassword(command: Command, production: boolean, fallback: string): string {
  const message = 'A password is required in production; use --password-stdin.'
  if (production) throw new Refusal('invalid', [{ field: 'password', type: 'Required', message }])
  command.warn(
    `No password was given: the password is now "${shownText(fallback)}", which is easy to guess. Do not use such a password for real accounts.`,
  )
  return fallback
}
