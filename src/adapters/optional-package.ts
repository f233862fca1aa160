import { unusable, type Refusal } from '../domain/refusal.js'

/**
 * What to throw where the import of an optional package has failed: a Refusal `missing-package`, which says how to
 * install it, where it is not there; any other error as it came. The import itself has to be `await import('…')`
 * with its name as a text, directly in a `try`: that is how bundlers see that a program may be bundled without it.
 */
export function optionalPackageError(name: string, error: unknown): unknown {
  return isMissing(name, error) ? missing(name, error) : error
}

/**
 * The module itself, which has to have this member: some bundlers put an empty module in the place of what is not
 * there. Throws the Refusal `missing-package` else.
 */
export function notEmpty<T extends object>(name: string, module: T, member: string & keyof T): T {
  if (!(member in module)) throw missing(name)
  return module
}

function missing(name: string, cause?: unknown): Refusal {
  return unusable('missing-package', `The package "${name}" is not installed: npm install ${name}`, cause)
}

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** The package is named in the message and nowhere else; by bundlers and `require` as a module, maybe with a path below it. */
function isMissing(name: string, error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !CODES.includes(error.code)) return false
  return [`package '${name}'`, `module '${name}'`, `module '${name}/`].some((named) =>
    error.message.includes(named),
  )
}
