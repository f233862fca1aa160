import type { Command } from '@oclif/core'
import type { OpenCommandContext } from '../command-context.js'
import { createTask } from '../create-task.js'
import { saved } from '../task.js'

export function createStoreCreate(open: OpenCommandContext): Command.Class {
  return createTask(open, {
    summary: 'Make the store, empty, before the first start in production.',
    description:
      'Prints {"errors": [], "save": 1}. A store that exists is left as it is, with "save": 0 and "unchanged": 1.',
    examples: ['<%= config.bin %> store create'],
    creating: 'always',
    work: async ({ isNew }) => {
      const result = isNew ? saved() : { errors: [], save: 0, unchanged: 1 }
      return await Promise.resolve(result)
    },
  })
}
