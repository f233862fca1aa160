import { isA } from './driver.js'

/** Everything that the driver has thrown or rejected with, whatever its class. */
const seen = new WeakSet<object>()

/**
 * The same object of the driver, whose errors `isDriverError` knows. The driver has errors of its own, and lets
 * others through: of the parser of replies, of the sockets, of files that the URL names. An error of our code that
 * works with the results is none of them, which by its class alone could not be told.
 */
export function marked<T extends object>(target: T, around: Around = directly): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(member, target, args) as unknown
        return marking(() => around({ target, name, args, call }), around)
      }
    },
  })
}

/** A call of a method of the driver's that is about to be made. */
export type DriverCall = {
  readonly target: object
  readonly name: string | symbol
  readonly args: readonly unknown[]
  readonly call: () => unknown
}

/** Makes the call, or more. */
export type Around = (call: DriverCall) => unknown

const directly: Around = ({ call }) => call()

/** True for an error that came out of the driver, unless it says that we have called it wrongly. */
export function isDriverError(error: unknown): error is Error {
  return error instanceof Error && seen.has(error) && !isA(error, 'MongoInvalidArgumentError')
}

function marking(call: () => unknown, around: Around): unknown {
  try {
    const result = call()
    if (result instanceof Promise) return result.catch(rethrow)
    return isHandle(result) ? marked(result, around) : result
  } catch (error) {
    rethrow(error)
  }
}

/** Databases, collections and cursors; what else there is are plain documents. */
function isHandle(result: unknown): result is object {
  if (typeof result !== 'object' || result === null) return false
  return ['toArray', 'findOne', 'collection'].some((name) => name in result)
}

function rethrow(error: unknown): never {
  if (error instanceof Error) seen.add(error)
  throw error
}
