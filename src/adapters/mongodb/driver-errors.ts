import { isA } from './driver.js'

const driverErrors = new WeakSet<object>()

/**
 * Wraps a driver object so that `isDriverError` recognizes errors from this object. Checking the class is not enough: the driver also
 * passes on parser, socket and file errors, which Kennel's own code can throw as well.
 */
export function markErrors<T extends object>(target: T, wrap: WrapCall = callDirectly): T {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(member, target, args) as unknown
        return callAndMark(() => wrap({ target, name, args, call }), wrap)
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

export type WrapCall = (call: DriverCall) => unknown

const callDirectly: WrapCall = ({ call }) => call()

/** Returns whether the driver threw the error; errors about invalid arguments that Kennel's code passed do not count. */
export function isDriverError(error: unknown): error is Error {
  return error instanceof Error && driverErrors.has(error) && !isA(error, 'MongoInvalidArgumentError')
}

function callAndMark(call: () => unknown, wrap: WrapCall): unknown {
  try {
    const result = call()
    if (result instanceof Promise) return result.catch(rethrow)
    return isHandle(result) ? markErrors(result, wrap) : result
  } catch (error) {
    rethrow(error)
  }
}

/** Returns whether the result is a database, a collection or a cursor instead of a plain document. */
function isHandle(result: unknown): result is object {
  if (typeof result !== 'object' || result === null) return false
  return ['toArray', 'findOne', 'collection'].some((name) => name in result)
}

function rethrow(error: unknown): never {
  if (error instanceof Error) driverErrors.add(error)
  throw error
}
