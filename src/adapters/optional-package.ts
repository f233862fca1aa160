import { unusable, type Refusal } from '../domain/refusal.js'

/**
 * The error to throw after the import of an optional package has failed: a Refusal `missing-package` with the
 * command that installs a missing package, otherwise the given error. The import must be `await import('…')`
 * with a literal name, directly in a `try`: bundlers then allow a bundle without the package.
 */
export function optionalPackageError(name: string, error: unknown): unknown {
  return isMissing(name, error) ? missing(name, error) : error
}

/**
 * Returns a module that must have this member: some bundlers replace a missing module by an empty one. Throws
 * the Refusal `missing-package` otherwise.
 */
export function notEmpty<T extends object>(name: string, module: T, member: string & keyof T): T {
  if (!(member in module)) throw missing(name)
  return module
}

function missing(name: string, cause?: unknown): Refusal {
  return unusable('missing-package', `The package "${name}" is not installed: npm install ${name}`, cause)
}

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** Only the message names the package; bundlers and `require` call it a module. */
function isMissing(name: string, error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !CODES.includes(error.code)) return false
  return [`package '${name}'`, `module '${name}'`, `module '${name}/`].some((named) =>
    error.message.includes(named),
  )
}
