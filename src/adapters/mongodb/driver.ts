import type * as Driver from 'mongodb'
import { notEmpty, optionalPackageError } from '../optional-package.js'

let loaded: typeof Driver | undefined

/** Loads the driver; rejects with a `missing-package` Refusal if the driver is not installed. */
export async function loadDriver(): Promise<typeof Driver> {
  try {
    const driver = await import(/* turbopackOptional: true */ 'mongodb')
    return (loaded = notEmpty('mongodb', driver, 'MongoClient'))
  } catch (error) {
    throw optionalPackageError('mongodb', error)
  }
}

/** Returns whether the error is an instance of the driver's class; always false before the driver is loaded. */
export function isA<Name extends Extract<keyof typeof Driver, `Mongo${string}Error`>>(
  error: unknown,
  name: Name,
): error is InstanceType<(typeof Driver)[Name]> {
  return loaded !== undefined && error instanceof loaded[name]
}
