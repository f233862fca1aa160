import { inspect } from 'node:util'
import { expect } from 'chai'
import { PART_CALLS } from '../../src/ports/calls/parts.js'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { OPTION_NAMES } from '../../src/configuration/settings.js'
import { OTHERS } from '../../src/embedding/given-options.js'
import type { AnyOptions } from '../../src/embedding/options.js'
import { readOptions } from '../../src/embedding/read-options.js'
import { openKennel, OptionsError, type KennelOptions } from '../../src/index.js'
import { linesOf } from '../configuration/reading.js'
import { revoked } from './hostile-values.js'
import { errorsOf, goodOptions, changedOptions } from './opening.js'

const OTHER_PASSPHRASE = 'Another-Battery-8-Staple!-horse-correct'

describe('the options of openKennel', () => {
  const read = (options: unknown) => readOptions(options as KennelOptions).settings

  it('can be an instance of a class, and each getter is called once', () => {
    let asked = 0
    class Settings {
      readonly publicUrl = 'https://pets.example'
      get passphrase(): string {
        asked += 1
        return asked === 1 ? OTHER_PASSPHRASE : 'short'
      }
    }
    const { options, settings } = readOptions(new Settings())
    expect(settings.passphrase).to.equal(OTHER_PASSPHRASE)
    expect(options.passphrase).to.equal(OTHER_PASSPHRASE)
  })

  it('can contain undefined for an omitted option', () => {
    const absent = Object.fromEntries(OPTION_NAMES.map((name) => [name, undefined]))
    expect(read({ ...absent, ...goodOptions() })).to.have.property('trustProxy', 0)
    const others = {
      ...{ store: undefined, permissions: undefined, components: undefined, pages: undefined },
      ...{ background: undefined, parts: { mailer: undefined, clock: undefined } },
    } satisfies Partial<KennelOptions>
    expect(read({ ...others, ...goodOptions() })).to.have.property('trustProxy', 0)
  })
})

describe('invalid options of openKennel', () => {
  it('cause a rejection with the code `invalid-options`', async () => {
    const error: unknown = await openKennel({} as KennelOptions).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(OptionsError)
    expect(error).to.include({ code: 'invalid-options', name: 'OptionsError' })
    expect((error as OptionsError).message).to.equal(
      'Kennel cannot be opened:\n- passphrase is required (`kennel-id key generate --plain` generates one)\n- publicUrl is required',
    )
  })
})

const trap = {
  get: (): never => {
    throw new Error('a trap')
  },
  enumerable: true,
}
const nothing = () => undefined

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

/** Values that JSON cannot represent, keyed by name. For example, `"<symbol>"` in the table stands for the value named `symbol`. */
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
  'store without sessions': () => ({ ...createMemoryStore(), sessions: undefined }),
  'store without replaceHash and close': lackingFunctions,
  'store whose ready is text': () => ({ ...createMemoryStore(), ready: 'yes' }),
  'store with misspelt ports': misspeltPorts,
  'store with broken optional ports': brokenOptionalPorts,
  'store that throws': () => Object.defineProperty({ ...createMemoryStore() }, 'accounts', trap),
}

/** Returns the value of a table cell; a member `"<a getter that throws>"` becomes such a getter. */
function valueOf(cell: unknown): unknown {
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

/** With the base `good`, the table's options override valid options; with `alone`, they are the only options. */
function outcomeOf(base: string, cell: string): readonly string[] {
  const value = valueOf(JSON.parse(cell))
  const options = base === 'alone' ? value : changedOptions(value as object)
  const errors = errorsOf(options)
  return errors.length > 0 ? errors : ['accepted', ...readOptions(options as AnyOptions).warnings]
}

describe('the options of openKennel that are not settings', () => {
  it('produce the results in the table', () => {
    const lines = linesOf('test/embedding/other-options.tsv')
    const found = lines.map((line) => {
      const [base = '', given = ''] = line.split('\t')
      return [base, given, ...outcomeOf(base, given)].join('\t')
    })
    expect(lines).to.have.length.above(150)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })

  it('are all reported if no option or part can be read', () => {
    const unreadable = (names: readonly string[]) => names.map((name) => `${name} cannot be read`)
    expect(errorsOf(valueOf('<throwing proxy>'))).to.have.members(unreadable([...OPTION_NAMES, ...OTHERS]))
    const parts = unreadable(Object.keys(PART_CALLS).map((name) => `parts.${name}`))
    expect(errorsOf(changedOptions({ parts: valueOf('<throwing proxy>') }))).to.have.members(parts)
  })
  it('cause an error that Node prints without an empty cause', () => {
    expect(inspect(new OptionsError(['passphrase is required']))).to.not.include('cause')
  })
})
