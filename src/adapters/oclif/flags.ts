import { Flags } from '@oclif/core'

/** On every command. */
export const DEBUG_FLAG = {
  debug: Flags.boolean({ description: 'show where an unexpected error comes from', helpGroup: 'GLOBAL' }),
}

/** On the commands that list what grows without end. */
export const PAGE_FLAGS = {
  limit: Flags.integer({ description: 'at most so many rows; all by default', min: 1, helpValue: 'N' }),
  'newest-first': Flags.boolean({ description: 'begin with the newest' }),
}

/** On every command that lists. */
export const JSON_FLAG = {
  json: Flags.boolean({ description: 'print JSON on a terminal too, as in a pipe' }),
}
