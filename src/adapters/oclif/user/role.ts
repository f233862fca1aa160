import { Args, Command, Flags } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { DEBUG_FLAG } from '../flags.js'
import type { OpenCommandContext } from '../command-context.js'
import { runTask, saved } from '../task.js'

const ARGS = {
  email: Args.string({ description: 'email of the account', required: true, ignoreStdin: true }),
  role: Args.string({ description: 'key of the role', required: true, ignoreStdin: true }),
}
const FLAGS = { remove: Flags.boolean({ description: 'take the role away' }), ...DEBUG_FLAG }

export function createUserRole(open: OpenCommandContext): Command.Class {
  return class UserRole extends Command {
    static override summary = 'Give a role to an account, or take it away.'
    static override description = 'The role must be in the role table; see `role create`.'
    static override examples = [
      '<%= config.bin %> user role ada@example.com editor',
      '<%= config.bin %> user role ada@example.com editor --remove',
    ]
    static override args = ARGS
    static override flags = FLAGS

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: FLAGS })
      await runTask(this, { open, ...flags }, async ({ assignRole }) => {
        await assignRole({ caller: OPERATOR, email: args.email, role: args.role, remove: flags.remove })
        return saved()
      })
    }
  }
}
