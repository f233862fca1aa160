import { Args, Command } from '@oclif/core'
import { OPERATOR } from '../../domain/access/caller.js'
import type { OpenOperation } from './operation.js'
import { runTask, saved } from './task.js'

const ARGS = {
  key: Args.string({ description: 'key of the role', required: true, ignoreStdin: true }),
  label: Args.string({ description: 'name for people', required: true, ignoreStdin: true }),
}

export function createRoleCreate(open: OpenOperation): Command.Class {
  return class RoleCreate extends Command {
    static override summary = 'Add a role to the role table.'
    static override description =
      'What a role may do stands in the permission file; a role that it does not name grants nothing.'
    static override examples = ['<%= config.bin %> role create project-editor "Project editor"']
    static override args = ARGS

    async run(): Promise<void> {
      const { args } = await this.parse({ args: ARGS, flags: {} })
      await runTask(this, open, async ({ createRole }) => {
        await createRole({ caller: OPERATOR, key: args.key, label: args.label })
        return saved()
      })
    }
  }
}
