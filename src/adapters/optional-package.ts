import { unusable, type Refusal } from '../domain/refusal.js'

/**
 * The error to throw after the import of an optional package has failed: a Refusal `missing-package` that says how to
 * install the package if it is missing, otherwise the given error. The import has to be `await import('…')` with the name as
 * a literal, directly in a `try`: bundlers then know that a program may be bundled without the package.
 */
export function optionalPackageError(name: string, error: unknown): unknown {
  return isMissing(name, error) ? missing(name, error) : error
}

/**
 * The module, which must have this member: some bundlers replace a missing module with an empty one. Throws the Refusal
 * `missing-package` otherwise.
 */
export function notEmpty<T extends object>(name: string, module: T, member: string & keyof T): T {
  if (!(member in module)) throw missing(name)
  return module
}

function missing(name: string, cause?: unknown): Refusal {
  return unusable('missing-package', `The package "${name}" is not installed: npm install ${name}`, cause)
}

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** Only the message names the package; bundlers and `require` call it a module, maybe with a path below it. */
function isMissing(name: string, error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !CODES.includes(error.code)) return false
  return [`package '${name}'`, `module '${name}'`, `module '${name}/`].some((named) =>
    error.message.includes(named),
  )
}
