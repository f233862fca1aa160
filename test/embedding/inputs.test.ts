import { expect } from 'chai'
import { readInput, type Inputs } from '../../src/embedding/inputs.js'
import { ANONYMOUS, OPERATOR } from '../../src/domain/access/caller.js'
import type { Account } from '../../src/domain/identity/account.js'
import { isRefusal, type Refusal } from '../../src/domain/refusal.js'

function refusalOf(method: keyof Inputs, ...args: unknown[]): Refusal {
  try {
    readInput(method, args)
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
  throw new Error('it was taken')
}

function fieldsOf(method: keyof Inputs, ...args: unknown[]): Record<string, unknown> {
  const { code, messages } = refusalOf(method, ...args)
  return { code, fields: messages.map(({ field }) => field) }
}

const caller = OPERATOR

describe('the input of a Kennel method', () => {
  it('is malformed if members have wrong types, and each of them is named', () => {
    const input = { caller: 'root', email: 5, password: null, anyLength: 'yes' }
    expect(fieldsOf('createUser', input)).to.deep.equal({
      code: 'malformed',
      fields: ['caller', 'email', 'password', 'anyLength'],
    })
  })

  it('is invalid if it breaks only domain rules, and each broken rule is named', () => {
    const input = { caller, draft: { name: ' ', tag: 'a\u0000', category: 'Four' }, idempotencyKey: 'ü' }
    const { code, messages } = refusalOf('createPet', input)
    expect(code).to.equal('invalid')
    expect(messages.map(({ field, type }) => [field, type])).to.deep.equal([
      ['draft.name', 'Length'],
      ['draft.tag', 'Format'],
      ['draft.category', 'NotValid'],
      ['idempotencyKey', 'Format'],
    ])
  })

  it('is malformed if it breaks both a type and a rule', () => {
    expect(fieldsOf('createPet', { caller, draft: { name: '', tag: 5 } })).to.deep.equal({
      code: 'malformed',
      fields: ['draft.name', 'draft.tag'],
    })
  })

  it('is normalised by the domain rules', () => {
    const [ask] = readInput('createPet', [{ caller, draft: { name: '  Rex ', tag: undefined } }])
    expect(ask).to.deep.equal({ caller: { kind: 'cli' }, draft: { name: 'Rex' } })
  })

  it('is malformed if it has unknown members, and each of them is named', () => {
    const { code, messages } = refusalOf('login', { emial: 'a@b.example', password: 'x', presented: {} })
    expect(code).to.equal('malformed')
    const message = 'unknown field "emial" (did you mean "email"?)'
    expect(messages).to.deep.equal([
      { field: 'email', type: 'Required', message: 'required' },
      { field: '', type: 'Format', message },
    ])
    const input = { caller: { ...ANONYMOUS, roles: ['admin'] }, extra: 1 }
    expect(refusalOf('listRoles', input).messages).to.deep.equal([
      { field: 'caller', type: 'Format', message: 'unknown field "roles"' },
      { field: '', type: 'Format', message: 'unknown field "extra"' },
    ])
  })

  it('is rejected with the required type of each member', () => {
    const { messages } = refusalOf('createUser', { caller, email: 5 })
    expect(messages).to.deep.equal([
      { field: 'email', type: 'Format', message: 'must be a string' },
      { field: 'password', type: 'Required', message: 'required' },
    ])
    expect(refusalOf('login').messages).to.deep.equal([
      { field: '', type: 'Format', message: 'must be an object' },
    ])
  })

  it('is read only once, even if a getter returns other values later', () => {
    let readings = 0
    const presented = {
      get accessToken() {
        readings += 1
        return readings === 1 ? 'first' : Symbol('second')
      },
    }
    const [ask] = readInput('getIdentity', [presented])
    expect(ask).to.deep.equal({ accessToken: 'first' })
    expect(readings).to.equal(1)
  })

  it('is malformed if a getter throws, with the error as the cause', () => {
    const cause = new TypeError('of the host')
    const presented = {
      get accessToken(): string {
        throw cause
      },
    }
    const refusal = refusalOf('getIdentity', presented)
    expect(refusal.code).to.equal('malformed')
    expect(refusal.messages).to.deep.equal([{ field: '', type: 'Format', message: 'cannot be read' }])
    expect(refusal.cause).to.equal(cause)
  })

  it('may hold an impossible pet ID, which is treated as absent', () => {
    for (const id of [0, -1, 1.5, 2 ** 53, Number.NaN, undefined])
      expect(readInput('readPet', [{ caller, id }])).to.deep.equal([{ caller, id: undefined }])
    expect(fieldsOf('readPet', { caller, id: '1' })).to.deep.equal({ code: 'malformed', fields: ['id'] })
  })

  it('may hold several valid pet IDs', () => {
    expect(readInput('readPets', [{ caller, ids: [2, 1] }])).to.deep.equal([{ caller, ids: [2, 1] }])
    expect(fieldsOf('readPets', { caller, ids: [0] })).to.deep.equal({ code: 'invalid', fields: ['ids'] })
    const tooMany = Array.from({ length: 101 }, (_, at) => at + 1)
    expect(fieldsOf('readPets', { caller, ids: tooMany })).to.deep.equal({ code: 'invalid', fields: ['ids'] })
    expect(fieldsOf('readPets', { caller, ids: ['1'] })).to.deep.equal({
      code: 'malformed',
      fields: ['ids.0'],
    })
    expect(fieldsOf('readPets', { caller })).to.deep.equal({ code: 'malformed', fields: ['ids'] })
  })

  it('must have a valid page size', () => {
    for (const limit of [0, 101, 1.5, Number.NaN])
      expect(fieldsOf('listPets', { caller, limit })).to.deep.equal({ code: 'invalid', fields: ['limit'] })
    for (const limit of [0, -1, 2 ** 31, Number.POSITIVE_INFINITY, '5', undefined])
      expect(fieldsOf('listUsers', { caller, limit })).to.deep.equal({ code: 'malformed', fields: ['limit'] })
    expect(readInput('listUsers', [{ caller, limit: 2 ** 31 - 1 }])).to.deep.equal([
      { caller, limit: 2 ** 31 - 1 },
    ])
  })

  it('must change a cat or a dog by the rules for its kind', () => {
    const change = (value: unknown) => fieldsOf('patchPet', { caller, id: 1, change: value })
    expect(change({ kind: 'cow' })).to.deep.equal({ code: 'malformed', fields: ['change.kind'] })
    expect(change({ kind: 'cat', age: 201 })).to.deep.equal({ code: 'invalid', fields: ['change.age'] })
    expect(change({ kind: 'dog', breed: 'a'.repeat(101) })).to.deep.equal({
      code: 'invalid',
      fields: ['change.breed'],
    })
    expect(change({ kind: 'cat', bark: true })).to.deep.equal({ code: 'malformed', fields: ['change'] })
    const taken = { caller, id: 1, change: { kind: 'cat', age: undefined, hunts: false } }
    expect(readInput('patchPet', [taken])).to.deep.equal([
      { caller, id: 1, change: { kind: 'cat', hunts: false } },
    ])
  })

  it('must have a client context that every store can keep unchanged', () => {
    const of = (client: unknown) => fieldsOf('login', { email: '', password: '', presented: { client } })
    for (const bad of ['\u0000', '\ud800', 'a\nb', 'x'.repeat(1_001), 5, null])
      expect(of({ address: bad, requestId: bad })).to.deep.equal({
        code: 'malformed',
        fields: ['presented.client.address', 'presented.client.requestId'],
      })
  })

  it('must have a valid caller', () => {
    const account = { kind: 'account', accountId: 1, email: 'a@b.example', roles: [] }
    expect(readInput('listRoles', [{ caller: account }])).to.deep.equal([{ caller: account }])
    const of = (changes: object) => fieldsOf('listRoles', { caller: { ...account, ...changes } })
    expect(of({ accountId: '1' })['fields']).to.deep.equal(['caller.accountId'])
    expect(of({ roles: ['admin'] })['fields']).to.deep.equal(['caller.roles.0'])
    expect(of({ roles: undefined })['fields']).to.deep.equal(['caller.roles'])
    expect(of({ actor: {} })['fields']).to.include('caller.actor.accountId')
    expect(of({ kind: 'root' })['fields']).to.deep.equal(['caller.kind'])
  })

  it('must have an account as caller to create a project', () => {
    expect(fieldsOf('createProject', { caller: OPERATOR })['fields']).to.include('caller.kind')
  })

  it('must name an existing permission', () => {
    expect(fieldsOf('authorize', caller, 'pets', 'fly')).to.deep.equal({
      code: 'malformed',
      fields: ['action'],
    })
    expect(fieldsOf('authorize', undefined, 'toString', Symbol('x'))).to.deep.equal({
      code: 'malformed',
      fields: ['caller', 'component', 'action'],
    })
  })

  it('is rejected before an array with a huge length is iterated', () => {
    const roles = new Array<string>(2 ** 32 - 1)
    expect(fieldsOf('createApiKey', { caller, name: 'x', roles })).to.deep.equal({
      code: 'malformed',
      fields: ['roles'],
    })
  })

  describe('with a function that makes passwords', () => {
    const answer = (password: unknown) => {
      const [input] = readInput('setAllPasswords', [{ caller, password }]) as [
        { password: (one: Account) => string },
      ]
      return () => input.password({ id: 1 } as Account)
    }

    it('must return a string', () => {
      expect(answer(({ id }: Account) => `for ${id}`)()).to.equal('for 1')
      expect(answer(() => 5))
        .to.throw()
        .with.property('code', 'malformed')
    })

    it('must not return a promise, and a rejected promise does no harm', async () => {
      expect(answer(async () => await Promise.reject(new Error('x'))))
        .to.throw()
        .with.property('code', 'malformed')
      await new Promise(setImmediate)
    })

    it('is rejected with the thrown error as the cause', () => {
      const cause = new Error('of the host')
      const throws = () => {
        throw cause
      }
      expect(answer(throws)).to.throw().with.property('cause', cause)
    })
  })
})
