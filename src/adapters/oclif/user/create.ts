import { Args, Command, Flags } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { STORE_FLAGS } from '../flags.js'
import { conveniencePassword } from '../password/convenience.js'
import type { OpenCommandContext } from '../command-context.js'
import { runTask, saved } from '../task.js'
import { parsePasswordInput } from '../password/input.js'

const ARGS = {
  email: Args.string({ description: 'email of the new account', required: true, ignoreStdin: true }),
  password: Args.string({ description: 'password; better not given here', ignoreStdin: true }),
}
const FLAGS = {
  'password-stdin': Flags.boolean({ description: 'read the password from standard input' }),
  ...STORE_FLAGS,
}

export function createUserCreate(open: OpenCommandContext): Command.Class {
  return class UserCreate extends Command {
    static override summary = 'Make a user account.'
    static override description =
      'Prints {"errors": [], "save": 1}. A recognised hash (scrypt-kdf, bcrypt) given as the password is kept as it is.'
    static override examples = [
      '<%= config.bin %> user create ada@example.com --password-stdin < password.txt',
      '<%= config.bin %> user create ada@example.com',
    ]
    static override args = ARGS
    static override flags = FLAGS

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: FLAGS })
      const typed = await parsePasswordInput(this, args.password, flags['password-stdin'])
      const opening = { open, creating: 'outside-production', ...flags } as const
      await runTask(this, opening, async ({ createUser, passwordOrHash, production }) => {
        const convenience = () => conveniencePassword(this, production, args.email.split('@')[0] ?? '')
        const given =
          typed === undefined ? { password: convenience(), anyLength: true } : passwordOrHash(typed)
        await createUser({ caller: OPERATOR, email: args.email, ...given })
        return saved()
      })
    }
  }
}
