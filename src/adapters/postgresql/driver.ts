import type * as Driver from 'pg'
import { notEmpty, optionalPackageError } from '../optional-package.js'

let loaded: typeof Driver | undefined

/** Loads the driver; rejects with a `missing-package` Refusal if the driver is not installed. */
export async function loadDriver(): Promise<typeof Driver> {
  try {
    const driver = await import(/* turbopackOptional: true */ 'pg')
    return (loaded = notEmpty('pg', driver, 'Pool'))
  } catch (error) {
    throw optionalPackageError('pg', error)
  }
}

/** Returns the error if it was reported by the server; returns `undefined` before the driver is loaded. */
export function serverError(error: unknown): Driver.DatabaseError | undefined {
  return loaded && error instanceof loaded.DatabaseError ? error : undefined
}
