import { expect } from 'chai'
import { checkedTable } from '../../src/application/table.js'
import { compose } from '../../src/composition-root/container.js'
import type { GivenParts } from '../../src/composition-root/infrastructure.js'
import type { Service } from '../../src/composition-root/service.js'

describe('the container', () => {
  let made: string[] = []
  beforeEach(() => {
    made = []
  })
  const making =
    <P extends object>(name: string) =>
    (parts: P) => {
      made.push(name)
      return { name, ...parts }
    }

  const own = checkedTable<{ cost: number }>()({
    hasher: { factory: making<{ cost: number }>('hasher'), parts: ['cost'] },
  })
  const table = checkedTable<{ cost: number; hasher: object; log: undefined }>()({
    shared: { factory: making<{ log: undefined }>('shared'), parts: ['log'] },
    login: {
      factory: making<{ shared: object; hash: object }>('login'),
      parts: ['shared'],
      renamed: { hash: 'hasher' },
    },
    list: { factory: making<{ shared: object }>('list'), parts: ['shared'] },
  })
  const given = { cost: 15, log: undefined }

  it('creates a part and its dependencies once, when the part is first read', () => {
    const parts = compose(given, own, table)
    expect(made).to.deep.equal([])
    const { list } = parts
    expect(made).to.deep.equal(['shared', 'list'])
    const { login } = parts
    expect(login.shared).to.equal(list.shared)
    expect(parts.login).to.equal(login)
    expect(made).to.deep.equal(['shared', 'list', 'hasher', 'login'])
  })

  it("passes parts and given values, even `undefined`, under the names of the factories' parameters", () => {
    const { login, list } = compose(given, own, table)
    expect(login).to.deep.equal({ name: 'login', shared: list.shared, hash: { name: 'hasher', cost: 15 } })
    expect(list.shared).to.deep.equal({ name: 'shared', log: undefined })
  })

  it("prefers a part that is passed in over the part's row in the table", () => {
    const hasher = { name: 'another', cost: 1 }
    expect(compose({ ...given, hasher }, own, table).login.hash).to.equal(hasher)
    expect(made).to.deep.equal(['shared', 'login'])
  })

  it('does not compile if a part is missing, swapped or of the wrong type', () => {
    const composing = (infrastructure: GivenParts) => {
      // @ts-expect-error -- `hasher` needs a cost.
      compose({ log: undefined }, own, table)
      // @ts-expect-error -- a cost is a number.
      compose({ ...given, cost: '15' }, own, table)
      const wrong: GivenParts[] = [
        // @ts-expect-error -- a length is a number.
        { ...infrastructure, minPasswordLength: '8' },
        // @ts-expect-error -- two ports that were swapped.
        { ...infrastructure, accounts: infrastructure.roles, roles: infrastructure.accounts },
        // @ts-expect-error -- the sinks of audit records are required.
        { ...infrastructure, auditSinks: undefined },
      ]
      return wrong
    }
    // @ts-expect-error -- only logins with sessions have this part.
    const name: keyof Service['useCases'] = 'issue'
    expect([composing, name]).to.have.lengthOf(2)
  })
})
