import { Args, Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import { DEBUG_FLAG } from '../flags.js'
import type { OpenCommandContext } from '../command-context.js'
import { runTask, saved } from '../task.js'

const ARGS = {
  key: Args.string({ description: 'key of the role', required: true, ignoreStdin: true }),
  label: Args.string({ description: 'name for people', required: true, ignoreStdin: true }),
}

export function createRoleCreate(open: OpenCommandContext): Command.Class {
  return class RoleCreate extends Command {
    static override summary = 'Add a role to the role table.'
    static override description =
      'What a role may do stands in the permission file; a role that it does not name permits nothing.'
    static override examples = ['<%= config.bin %> role create project-editor "Project editor"']
    static override args = ARGS
    static override flags = DEBUG_FLAG

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: DEBUG_FLAG })
      await runTask(this, { open, ...flags }, async ({ createRole }) => {
        await createRole({ caller: OPERATOR, key: args.key, label: args.label })
        return saved()
      })
    }
  }
}
