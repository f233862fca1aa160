import { unusable, type Refusal } from '../domain/refusal.js'

/**
 * Returns the error to throw after the import of an optional package has failed: a `missing-package` Refusal with the install command, or
 * the original error. The import must be `await import('…')` with a literal name, directly in a `try` block, because bundlers then accept
 * that the package is missing.
 */
export function optionalPackageError(name: string, error: unknown): unknown {
  return isMissing(name, error) ? missing(name, error) : error
}

/** Returns the module, or throws a `missing-package` Refusal: some bundlers replace a missing module with an empty module. */
export function notEmpty<T extends object>(name: string, module: T, member: string & keyof T): T {
  if (!(member in module)) throw missing(name)
  return module
}

function missing(name: string, cause?: unknown): Refusal {
  return unusable('missing-package', `The package "${name}" is not installed: npm install ${name}`, cause)
}

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']

/** Searches the error message, because only the message contains the package name; bundlers and `require` call the package a module. */
function isMissing(name: string, error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !CODES.includes(error.code)) return false
  return [`package '${name}'`, `module '${name}'`, `module '${name}/`].some((named) =>
    error.message.includes(named),
  )
}
