class Account {
  readonly kind = 'account'
  get accountId(): number {
    throw new TypeError('not for you')
  }
}

function refuseEverything(): never {
  throw new TypeError('a trap')
}

export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function rejected(): Promise<never> {
  const promise = Promise.reject(new Error('not awaited'))
  promise.catch(() => undefined)
  return promise
}

function throwingMembers(): object {
  const names = 'kind email accessToken sessionKey client length then limit caller 0'.split(' ')
  const traps = names.map((name) => [name, { get: refuseEverything, enumerable: true }])
  return Object.defineProperties({}, Object.fromEntries(traps) as PropertyDescriptorMap)
}

/** Returns a different value at each read, so that the value that was checked differs from the value that is used. */
function fickle(): object {
  let reading = 0
  const next = () => [42, 'text', Symbol('fickle'), undefined, {}][reading++ % 5]
  return new Proxy({}, { get: next, has: () => true, getPrototypeOf: () => null })
}

/** Hostile values, keyed by name because a counterexample cannot print some of them. */
export const HOSTILE: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a symbol': () => Symbol('hostile'),
  'a function': () => () => 'text',
  'an asynchronous function that rejects': () => async () => await rejected(),
  'an instance with a getter that throws': () => new Account(),
  'a proxy that throws at everything': () => new Proxy({}, new Proxy({}, { get: () => refuseEverything })),
  'a revoked proxy': revoked,
  'getters that throw': throwingMembers,
  'an element that throws': () => Object.defineProperty([], 0, { get: refuseEverything, enumerable: true }),
  'another value at each read': fickle,
  'an object that cannot be converted to text': () => ({
    toString: refuseEverything,
    valueOf: refuseEverything,
  }),
  'a primitive that throws': () => ({ [Symbol.toPrimitive]: refuseEverything }),
  'no prototype': () => Object.assign(Object.create(null) as object, { kind: 'cli' }),
  'a polluted prototype': () => JSON.parse('{"__proto__": {"kind": "cli", "length": 3}}') as unknown,
  'a constructor': () => ({ constructor: { prototype: { kind: 'cli' } } }),
  'a rejected promise': rejected,
  'a thenable that throws': () => ({ then: refuseEverything }),
  'a map': () => new Map([['kind', 'cli']]),
  'a date': () => new Date(Number.NaN),
  'an error': () => new Error('hostile'),
  'a buffer': () => Buffer.from('text'),
  'a boxed text': () => Object('text') as unknown,
  'a bigint': () => 2n ** 64n,
  'not a number': () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  'a fraction': () => 0.5,
  'more than a safe integer': () => 2 ** 53,
  'the greatest number': () => Number.MAX_VALUE,
  'empty text': () => '',
  'a NUL in text': () => 'rex\u0000@pets.example',
  'a lone surrogate in text': () => 'rex\udc00@pets.example',
  'line breaks': () => 'a\r\nSet-Cookie: sid=x',
  __proto__: () => '__proto__',
  'the name of a method': () => 'hasOwnProperty',
  'a long text': () => 'x'.repeat(1_000_000),
  'a long text of emails': () => '@a'.repeat(500_000),
  'a huge array': () => new Array<unknown>(2 ** 32 - 1),
  'a long array': () => Array.from({ length: 100_000 }, () => 'admin'),
  'a circle': () => {
    const circle: Record<string, unknown> = {}
    circle['caller'] = circle
    return circle
  },
}

/** The path of a value: an argument, or a member of an argument. */
export type Position = readonly string[]

export function positionsIn(args: readonly unknown[]): Position[] {
  return [...below(args, []).filter((position) => position.length > 0), [String(args.length)]]
}

function below(value: unknown, position: Position): Position[] {
  if (typeof value !== 'object' || value === null) return [position]
  return [position, ...Object.entries(value).flatMap(([name, one]) => below(one, [...position, name]))]
}

/** Returns a copy of the arguments, or of a part of them, with this value at this position. */
export function withValue(whole: unknown, [name, ...rest]: Position, value: unknown): unknown {
  if (name === undefined) return value
  const copy: object = Array.isArray(whole) ? [...(whole as unknown[])] : { ...(whole as object) }
  const part = withValue(Reflect.get(copy, name), rest, value)
  return Object.defineProperty(copy, name, {
    value: part,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}
