import type { Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { OpenCommandContext } from '../command-context.js'
import { createTask } from '../create-task.js'
import { saved } from '../task.js'

export function createStorePurge(open: OpenCommandContext): Command.Class {
  return createTask(open, {
    summary: 'Remove ended sessions and old idempotency keys now.',
    description:
      'Prints {"errors": [], "save": 1, "removed": 12}. `serve` does the same on its own every ten minutes.',
    examples: ['<%= config.bin %> store purge'],
    work: async ({ purgeStore }) => saved({ removed: await purgeStore({ caller: OPERATOR }) }),
  })
}
