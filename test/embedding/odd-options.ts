import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { revoked } from './hostile-values.js'

const trap = {
  get: (): never => {
    throw new Error('a trap')
  },
  enumerable: true,
}
const nothing = () => undefined

function without(port: 'sessions'): object {
  return { ...createMemoryStore(), [port]: undefined }
}

function lackingFunctions(): object {
  const store = createMemoryStore()
  return { ...store, accounts: { ...store.accounts, replaceHash: undefined }, close: undefined }
}

function misspeltPorts(): object {
  const { apiKeys, audit, ...others } = createMemoryStore()
  return { ...others, apikeys: apiKeys, audits: audit, role: nothing }
}

function brokenOptionalPorts(): object {
  return { ...createMemoryStore(), projects: {}, audit: null, roles: Promise.resolve() }
}

function deepRules(): object {
  let rules = {}
  for (let depth = 0; depth < 5_000; depth += 1) rules = { components: rules }
  return rules
}

/** Values that JSON cannot represent, keyed by name; `"<symbol>"` in the table stands for the value `symbol`. */
const ODD: Readonly<Record<string, () => unknown>> = {
  undefined: nothing,
  bigint: () => 5n,
  symbol: () => Symbol('option'),
  function: () => () => 'text',
  promise: () => Promise.resolve('text'),
  thenable: () => ({ then: nothing }),
  map: () => new Map(),
  'revoked proxy': revoked,
  'throwing proxy': () => new Proxy({}, { get: trap.get, has: trap.get, ownKeys: trap.get }),
  'huge array': () => new Array<unknown>(2 ** 32 - 1),
  'sparse array': () => new Array<unknown>(2),
  'roles that throw': () => Object.defineProperty({}, 'roles', trap),
  'deep rules': deepRules,
  'reset rules': () => ({ roles: { everyone: { components: { auth: ['reset-password'] } } } }),
  clock: () => () => 7,
  'throwing function': () => trap.get,
  mailer: () => ({ send: async () => ({ kind: 'sent' }), close: async () => undefined }),
  'store without sessions': () => without('sessions'),
  'store without replaceHash and close': lackingFunctions,
  'store whose ready is text': () => ({ ...createMemoryStore(), ready: 'yes' }),
  'store with misspelt ports': misspeltPorts,
  'store with broken optional ports': brokenOptionalPorts,
  'store that throws': () => Object.defineProperty({ ...createMemoryStore() }, 'accounts', trap),
}

/** Returns the value of a table cell; a member `"<a getter that throws>"` becomes such a getter. */
export function valueOf(cell: unknown): unknown {
  if (typeof cell === 'string') {
    const name = /^<(.+)>$/.exec(cell)?.[1]
    return name === undefined ? cell : ODD[name]?.()
  }
  if (Array.isArray(cell)) return cell.map(valueOf)
  if (typeof cell !== 'object' || cell === null) return cell
  const members = Object.entries(cell).map(([name, one]) => [name, descriptorOf(one)])
  return Object.defineProperties({}, Object.fromEntries(members) as PropertyDescriptorMap)
}

function descriptorOf(cell: unknown): PropertyDescriptor {
  return cell === '<a getter that throws>' ? trap : { value: valueOf(cell), enumerable: true }
}
