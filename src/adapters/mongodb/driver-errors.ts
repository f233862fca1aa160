import { isA } from './driver.js'

/** All errors that the driver has thrown or rejected with. */
const seen = new WeakSet<object>()

/**
 * Wraps an object of the driver, so that `isDriverError` recognises its errors. Their class does not tell: the
 * driver also passes on errors of the reply parser, of sockets and of files, which our own code can throw as
 * well.
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

export type DriverCall = {
  readonly target: object
  readonly name: string | symbol
  readonly args: readonly unknown[]
  readonly call: () => unknown
}

export type Around = (call: DriverCall) => unknown

const directly: Around = ({ call }) => call()

/** True for an error of the driver, unless it reports a wrong argument of ours. */
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

/** Databases, collections and cursors. Other results are plain documents. */
function isHandle(result: unknown): result is object {
  if (typeof result !== 'object' || result === null) return false
  return ['toArray', 'findOne', 'collection'].some((name) => name in result)
}

function rethrow(error: unknown): never {
  if (error instanceof Error) seen.add(error)
  throw error
}
