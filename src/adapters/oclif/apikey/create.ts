import { Args, Flags, type Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { Instant } from '../../../domain/instant.js'
import { UsageError, type OpenCommandContext } from '../command-context.js'
import { createTask } from '../create-task.js'
import { instantAhead } from '../moments.js'
import { saved } from '../task.js'

export function createApiKeyCreate(open: OpenCommandContext): Command.Class {
  return createTask(open, {
    summary: 'Make an API key for the pet catalogue.',
    description:
      'Prints {"errors": [], "save": 1, "id": 1, "key": "…"}. The key is shown this once: only its digest is stored. Without --expires it is good until it is revoked.',
    examples: [
      '<%= config.bin %> apikey create "Shop front"',
      '<%= config.bin %> apikey create "Import job" --role editor --expires 90d',
    ],
    args: { name: Args.string({ description: 'what the key is for', required: true, ignoreStdin: true }) },
    flags: {
      role: Flags.string({ description: 'key of a role that the key carries', multiple: true }),
      expires: Flags.string({
        description: 'when it ends: 12h or 90d from now, or a date such as 2027-03-01 or 2027-03-01T12:00Z',
        helpValue: 'WHEN',
      }),
    },
    creating: 'outside-production',
    work: async ({ createApiKey, clock }, { name }, { role = [], expires }) => {
      const expiresAt = expires === undefined ? undefined : instantOf(expires, clock())
      const { id, key } = await createApiKey({ caller: OPERATOR, name, roles: role, expiresAt })
      return saved({ id, key })
    },
  })
}

function instantOf(expires: string, now: Instant): Instant {
  const instant = instantAhead(expires, now)
  if (instant !== undefined) return instant
  throw new UsageError('--expires is a time from now, such as 90d, or a date, such as 2027-03-01.')
}
