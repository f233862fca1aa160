import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { STORE_PORTS } from '../../src/ports/store.js'
import { wrapPort, wrapStore, type PortFunction } from '../../src/ports/wrap-port.js'

class Above {
  protected readonly word = 'above'
  above(): string {
    return this.word
  }
}

class Part extends Above {
  readonly #word = 'private'
  readonly number = 7
  own(more: string): string {
    return `${this.#word} ${more}`
  }
}

const loud =
  (call: PortFunction, name: string): PortFunction =>
  (...args) =>
    `${name}: ${String(call(...args))}`

describe('a port that is wrapped', () => {
  it('has every function of its class and of the class above, each of which still knows its object', () => {
    const part: Pick<Part, 'own' | 'above'> = wrapPort(new Part(), loud)
    expect([part.own('word'), part.above()]).to.deep.equal(['own: private word', 'above: above'])
    expect(Object.keys(part).sort()).to.deep.equal(['above', 'own'])
  })

  it('has the functions alone that are named, and no others are even looked at', () => {
    const part = {
      given: () => 'given',
      get other(): () => string {
        return expect.fail('was read')
      },
    }
    expect(Object.keys(wrapPort(part, loud, ['given', 'missing']))).to.deep.equal(['given'])
  })

  it('asks for each function once, however often it is called', () => {
    const asked: string[] = []
    const port = wrapPort({ one: () => 1, two: () => 2 }, (call, name) => {
      asked.push(name)
      return call
    })
    expect([port.one(), port.one(), port.two()]).to.deep.equal([1, 1, 2])
    expect(asked).to.deep.equal(['one', 'two'])
  })
})

describe('a store that is wrapped', () => {
  it('has every port that the store has, and its own "ready" and "close"', async () => {
    const store = createMemoryStore()
    const names: string[] = []
    const wrapped = wrapStore(store, (port, name) => {
      names.push(name)
      return port
    })
    expect(names).to.deep.equal(STORE_PORTS.filter((name) => name !== 'records'))
    expect(wrapped.accounts).to.equal(store.accounts)
    expect('records' in wrapped).to.equal(false)
    await wrapped.ready()
    await wrapped.close()
    expect(await store.ready().catch((error: unknown) => error)).to.have.property('code', 'unavailable')
  })
})
