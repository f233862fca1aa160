import { Flags } from '@oclif/core'

/** On every command. */
export const DEBUG_FLAG = {
  debug: Flags.boolean({ description: 'show where an unexpected fault comes from', helpGroup: 'GLOBAL' }),
}

/** On every command that lists. */
export const JSON_FLAG = {
  json: Flags.boolean({ description: 'print JSON on a terminal too, as in a pipe' }),
}
