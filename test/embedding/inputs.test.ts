import { expect } from 'chai'
import { readInput, type Inputs } from '../../src/embedding/inputs.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { Account } from '../../src/domain/identity/account.js'
import { refusalOfCall, wordsOfCall } from '../support/refusal-of.js'

const caller = OPERATOR
const person = { kind: 'account', accountId: 1, email: 'a@b.example', roles: [] }
const MANY = Array.from({ length: 101 }, (_, at) => at + 1)

/** Rejected inputs: the method, its arguments, and the error code followed by the rejected fields. */
const REFUSED: readonly (readonly [method: keyof Inputs, args: readonly unknown[], refusal: string])[] = [
  [
    'createUser',
    [{ caller: 'root', email: 5, password: null, anyLength: 'yes' }],
    'malformed caller email password anyLength',
  ],
  // One member of this input has a wrong type, and another member breaks a rule.
  ['createPet', [{ caller, draft: { name: '', tag: 5 } }], 'malformed draft.name draft.tag'],
  ['readPets', [{ caller, ids: MANY }], 'invalid ids'],
  ['readPets', [{ caller, ids: ['1'] }], 'malformed ids.0'],
  ['listPets', [{ caller, limit: Number.NaN }], 'invalid limit'],
  ['listUsers', [{ caller, limit: Number.POSITIVE_INFINITY }], 'malformed limit'],
  ['patchPet', [{ caller, id: 1, change: { kind: 'cat', bark: true } }], 'malformed change'],
  [
    'login',
    [{ email: '', password: '', presented: { client: { address: 'a\nb', requestId: '\ud800' } } }],
    'malformed presented.client.address presented.client.requestId',
  ],
  ['listRoles', [{ caller: { ...person, accountId: '1' } }], 'malformed caller.accountId'],
  ['authorize', [caller, 'pets', 'fly'], 'malformed action'],
  ['authorize', [undefined, 'toString', Symbol('x')], 'malformed caller component action'],
  // The array is refused before it is iterated.
  ['createApiKey', [{ caller, name: 'x', roles: new Array<string>(2 ** 32 - 1) }], 'malformed roles'],
]

describe('the input of a Kennel method', () => {
  it('is rejected with the field name of each error', async () => {
    for (const [method, args, refusal] of REFUSED) {
      const { code, messages } = await refusalOfCall(() => readInput(method, args))
      expect([code, ...messages.map(({ field }) => field)].join(' '), method).to.equal(refusal)
    }
  })

  it('is normalized by the domain rules', () => {
    const [ask] = readInput('createPet', [{ caller, draft: { name: '  Rex ', tag: undefined } }])
    expect(ask).to.deep.equal({ caller: { kind: 'cli' }, draft: { name: 'Rex' } })
  })

  it('is malformed if it has unknown members, and each unknown member is reported', async () => {
    const input = { emial: 'a@b.example', password: 'x', presented: {} }
    expect(await wordsOfCall(() => readInput('login', [input]))).to.equal(
      'malformed | email Required: required | Format: unknown field "emial" (did you mean "email"?)',
    )
  })

  it('is read only once, even if a getter returns different values later', () => {
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

  it('is accepted in all valid forms', () => {
    // An invalid pet ID means that the pet does not exist.
    for (const id of [0, 1.5, 2 ** 53, undefined])
      expect(readInput('readPet', [{ caller, id }])).to.deep.equal([{ caller, id: undefined }])
    expect(readInput('listRoles', [{ caller: person }])).to.deep.equal([{ caller: person }])
    const taken = { caller, id: 1, change: { kind: 'cat', age: undefined, hunts: false } }
    const change = { kind: 'cat', hunts: false }
    expect(readInput('patchPet', [taken])).to.deep.equal([{ caller, id: 1, change }])
  })

  describe('with a function that creates passwords', () => {
    const answer = (password: unknown) => {
      const [input] = readInput('setAllPasswords', [{ caller, password }]) as [
        { password: (one: Account) => string },
      ]
      return () => input.password({ id: 1 } as Account)
    }

    it('is rejected unless the function returns a string, and a rejected promise is handled', async () => {
      expect(answer(({ id }: Account) => `for ${id}`)()).to.equal('for 1')
      for (const wrong of [() => 5, async () => await Promise.reject(new Error('x'))])
        expect(answer(wrong)).to.throw().with.property('code', 'malformed')
      await new Promise(setImmediate)
    })

    it('is rejected if the function throws, with the thrown error as the cause', () => {
      const cause = new Error('of the host')
      const throws = () => {
        throw cause
      }
      expect(answer(throws)).to.throw().with.property('cause', cause)
    })
  })
})
