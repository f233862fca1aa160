import { Args, Flags, type Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { Refusal } from '../../../domain/refusal.js'
import {
  argument,
  command,
  STORE_FLAGS,
  type Commands,
  booleanFlag,
  UsageError,
  type CommandContext,
} from '../command.js'
import { noteOutlivingTokens, runTask, savedResult } from '../task.js'
import { shownText } from '../output.js'
import { isUtf8 } from 'node:buffer'
import { createInterface } from 'node:readline'
import { Writable, type Readable } from 'node:stream'

const PASSWORD_ARG = Args.string({ description: 'password; safer with --password-stdin', ignoreStdin: true })
const STDIN_FLAG = {
  'password-stdin': booleanFlag('read the password from standard input'),
}
const DEFAULT_MODEL_NAME = 'User'

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

/** Returns the default password, which the specification requires and production rejects. */
function conveniencePassword(command: Command, production: boolean, fallback: string): string {
  const message = 'A password is required in production; use --password-stdin.'
  if (production) throw new Refusal('invalid', [{ field: 'password', type: 'Required', message }])
  command.warn(
    `No password was given: the password is now "${shownText(fallback)}", which is easy to guess. Do not use such a password for real accounts.`,
  )
  return fallback
}

const STDIN_MAX = 64 * 1024

/**
 * Returns the password from the argument, standard input or a hidden prompt; returns `undefined` if none was given and the convenience
 * default applies. Rejects with a `UsageError` if two passwords were given, or if standard input is empty or has two lines.
 */
export async function readPassword(
  command: Command,
  positional: string | undefined,
  fromStdin: boolean,
): Promise<string | undefined> {
  if (fromStdin && positional !== undefined)
    throw new UsageError('Give the password either as an argument or with --password-stdin, not both.')
  if (fromStdin) return await readStdin(process.stdin)
  if (positional !== undefined) {
    command.warn('The password is now in the history of your shell and was visible in the list of processes.')
    return positional
  }
  return process.stdin.isTTY ? await askTwice() : undefined
}

async function readStdin(input: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > STDIN_MAX) throw new UsageError('Standard input is too long for a password.')
  }
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw new UsageError('Standard input is not UTF-8.')
  const text = new TextDecoder().decode(bytes).replace(/\r?\n$/, '')
  if (text === '') throw new UsageError('Standard input contains no password.')
  if (/[\r\n]/.test(text)) throw new UsageError('Standard input contains more than one line.')
  return text
}

async function askTwice(): Promise<string | undefined> {
  const prompt = openHiddenPrompt()
  try {
    const first = await prompt.ask('Password: ')
    if (first === '') return undefined
    if (first === (await prompt.ask('Password, again: '))) return first
  } finally {
    prompt.close()
  }
  throw new UsageError('The two passwords differ.')
}

/** Opens a prompt that hides typed text, including text typed between questions, until the prompt is closed. */
function openHiddenPrompt() {
  const silence = new Writable({
    write: (_chunk, _encoding, done) => done(),
  })
  // `createInterface` turns off the terminal's echo, before the question is printed.
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true, historySize: 0 })
  lines.on('SIGINT', () => lines.close())
  const typed = lines[Symbol.asyncIterator]()
  return {
    /** Reads one line, which may have been typed before the question; rejects with a `UsageError` after Ctrl-C or Ctrl-D. */
    async ask(question: string): Promise<string> {
      process.stderr.write(question)
      const line = await typed.next()
      process.stderr.write('\n')
      if (line.done === true) throw new UsageError('Nothing was entered.')
      return line.value
    },
    close: () => lines.close(),
  }
}
