import { unusable } from './refusal.js'

/**
 * Loads a module that needs an optional package. Rejects with a Refusal `missing-package`, which
 * says how to install it, where it is not there; with any other error as it came.
 */
export async function withOptionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(name, error)) throw error
    throw unusable('missing-package', `The package "${name}" is not installed: npm install ${name}`, error)
  }
}

/** Node names the package in its message and nowhere else. */
function isMissing(name: string, error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes(`package '${name}'`)
}
