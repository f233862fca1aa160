import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { aProject, NOW } from '../../src/contracts/samples.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import { combineStores } from '../../src/embedding/combine-stores.js'
import { STORE_PORTS } from '../../src/ports/calls/store.js'
import type { Store } from '../../src/ports/store.js'
import { createFakeStore, EVERY_CALL, makeCall } from '../support/fake-store.js'
import { refusalOf } from '../support/refusal-of.js'

function noting(name: string, calls: string[], failing?: Error): Store {
  const store = createMemoryStore()
  const call = (what: string) => async () => {
    calls.push(`${name} ${what}`)
    if (failing) throw failing
  }
  return { ...store, ready: call('ready'), close: call('close') }
}

describe('combined stores', () => {
  it('use the last of several ports with the same name', async () => {
    const [first, last] = [createMemoryStore(), createMemoryStore()]
    const store = combineStores(first, { projects: last.projects })
    const project = await store.projects.insert(aProject('House'), 1 as AccountId, NOW)
    expect((await last.projects.insert(aProject('Barn'), 1 as AccountId, NOW)).id).to.equal(project.id + 1)
    expect((await first.projects.insert(aProject('Shed'), 1 as AccountId, NOW)).id).to.equal(project.id)
  })

  it('are rejected if a part is a promise, or if the name of a port is misspelled', () => {
    const { pets, ...store } = createMemoryStore()
    const misspelled = { roles: undefined, pet: pets }
    expect(() => combineStores(store, misspelled)).to.throw(TypeError, 'did you mean pets?')
    const promise = Promise.resolve(store) as never
    expect(() => combineStores(store, promise)).to.throw(TypeError, 'argument 2 is a promise: await it first')
  })

  it('lack a port if the last part that names the port sets it to undefined', () => {
    const store = combineStores(createMemoryStore(), { pets: undefined, projects: undefined })
    expect(Object.keys(store)).not.to.include.members(['pets', 'projects'])
    // @ts-expect-error -- The type has no `pets`.
    expect(store.pets).to.equal(undefined)
    expect(Object.keys(store)).to.have.lengthOf(
      STORE_PORTS.length - 'copyableRecords pets projects'.split(' ').length + 2,
    )
  })

  it('have only the ports of their parts, and no `copyableRecords`, which would cover only one part', () => {
    const { projects } = createMemoryStore()
    const copyableRecords = {} as NonNullable<Store['copyableRecords']>
    expect(Object.keys(combineStores({ projects, copyableRecords }))).to.have.members([
      'projects',
      'ready',
      'close',
    ])
  })

  for (const [name, other] of [
    ['accounts', 'roles'],
    ['sessions', 'accounts'],
    ['revocations', 'accounts'],
    ['apiKeys', 'roles'],
    ['secondFactors', 'accounts'],
    ['proofs', 'accounts'],
  ] as const) {
    it(`are rejected if ${name} would read the ${other} of a store whose ${other} are not used`, () => {
      const [one, another] = [createMemoryStore(), createMemoryStore()]
      const given = { [name]: one[name], [other]: one[other] }
      expect(() => combineStores(given, { [other]: another[other] }))
        .to.throw(TypeError)
        .with.property('message')
        .that.includes(`: ${name} would read the ${other} of its own store`)
    })
  }

  it('are ready when every part with a `ready` method is ready', async () => {
    const calls: string[] = []
    const { projects } = createMemoryStore()
    await combineStores(noting('first', calls), { projects }, noting('last', calls)).ready()
    expect(calls).to.deep.equal(['first ready', 'last ready'])
    const away = noting('away', calls, new Error('it is away'))
    const failure: unknown = await combineStores(noting('first', calls), away)
      .ready()
      .catch((error: unknown) => error)
    expect(failure).to.have.property('message', 'it is away')
  })

  it('close each part once, however often `close` is called or a part is passed in', async () => {
    const calls: string[] = []
    const [first, last] = [noting('first', calls), noting('last', calls)]
    const store = combineStores(first, last, first)
    await Promise.all([store.close(), store.close()])
    await store.close()
    expect(calls).to.deep.equal(['first close', 'last close'])
  })

  it('close every part even if one fails, and report the failure', async () => {
    const calls: string[] = []
    const error = new Error('it is stuck')
    const store = combineStores(noting('stuck', calls, error), noting('last', calls))
    const failure: unknown = await store.close().catch((thrown: unknown) => thrown)
    expect(failure).to.be.instanceOf(AggregateError).with.property('errors').that.deep.equals([error])
    expect(calls).to.deep.equal(['stuck close', 'last close'])
  })

  it('reject every call with "unavailable" after they are closed, without calling a part', async () => {
    const { store: inner, made } = createFakeStore()
    const { copyableRecords: _, ready: _ready, close: _close, ...ports } = inner
    const store = combineStores(ports)
    await store.close()
    const calls = EVERY_CALL.filter(({ port }) => port !== 'copyableRecords')
    for (const one of calls) expect((await refusalOf(makeCall(store, one))).code).to.equal('unavailable')
    expect((await refusalOf(store.ready())).code).to.equal('unavailable')
    expect(made).to.deep.equal([])
  })

  it('return a rejected promise if a function of a part throws', async () => {
    const error = new Error('at once')
    const list = () => {
      throw error
    }
    const store = combineStores({ roles: { ...createMemoryStore().roles, list } })
    expect(await store.roles.list().catch((thrown: unknown) => thrown)).to.equal(error)
  })
})
