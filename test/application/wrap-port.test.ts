import { expect } from 'chai'
import { wrapPort, wrapStore, type PortFunction } from '../../src/application/wrap-port.js'
import { createFakeStore, EVERY_CALL } from '../support/fake-store.js'

class Above {
  protected readonly word = 'above'
  page(): string {
    return this.word
  }
}

class Part extends Above {
  readonly #word = 'private'
  readonly number = 7
  find(more: string): string {
    return `${this.#word} ${more}`
  }
}

const loud =
  (call: PortFunction, name: string): PortFunction =>
  (...args) =>
    `${name}: ${String(call(...args))}`

describe('a wrapped port', () => {
  it('has every method of the class and its superclass, bound to the instance', () => {
    const part: Pick<Part, 'find' | 'page'> = wrapPort(new Part(), loud)
    expect([part.find('word'), part.page()]).to.deep.equal(['find: private word', 'page: above'])
    expect(Object.keys(part).sort()).to.deep.equal(['find', 'page'])
  })

  it('has only the listed calls, and reads no other member', () => {
    const part = {
      given: () => 'given',
      get other(): () => string {
        return expect.fail('was read')
      },
    }
    expect(Object.keys(wrapPort(part, loud, ['given', 'missing']))).to.deep.equal(['given'])
  })
})

describe('a wrapped store', () => {
  it('has every method of every port, and also `ready` and `close`', async () => {
    const { store, made } = createFakeStore()
    const names: string[] = []
    const wrapped = wrapStore(store, (call, name, port) => {
      names.push(`${port}.${name}`)
      return call
    })
    expect(names).to.deep.equal(EVERY_CALL.map(({ port, call }) => `${port}.${call}`))
    await wrapped.ready()
    await wrapped.close()
    expect(made).to.deep.equal(['ready', 'close'])
  })
})
