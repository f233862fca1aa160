import { Errors, Flags } from '@oclif/core'

/** On every command. */
export const DEBUG_FLAG = {
  debug: Flags.boolean({ description: 'show where an unexpected error comes from', helpGroup: 'GLOBAL' }),
}

/** On every command that works with the store. */
export const STORE_FLAGS = {
  store: Flags.string({
    description:
      'module that opens a store of your own: a path or a package; wins over STORE_MODULE and DATABASE_URL',
    helpGroup: 'GLOBAL',
    helpValue: 'MODULE',
    parse: async (given) => {
      // An empty one would mean the store that the environment names.
      if (given === '') throw new Errors.CLIError('--store needs the path or the package of a module')
      return await Promise.resolve(given)
    },
  }),
  ...DEBUG_FLAG,
}

/** On every command that lists. */
export const LIMIT_FLAG = {
  limit: Flags.integer({ description: 'at most so many rows; all by default', min: 1, helpValue: 'N' }),
}

/** On the commands that list what grows without end. */
export const PAGE_FLAGS = {
  ...LIMIT_FLAG,
  'newest-first': Flags.boolean({ description: 'begin with the newest' }),
}

/** On every command that lists. */
export const JSON_FLAG = {
  json: Flags.boolean({ description: 'print JSON on a terminal too, as in a pipe' }),
}
