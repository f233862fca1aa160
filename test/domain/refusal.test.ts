import { expect } from 'chai'
import {
  invalidToken,
  isRefusal,
  isTransient,
  refuse,
  Refusal,
  TooManyAttempts,
  transient,
  unavailable,
  unusable,
  OperatorError,
} from '../../src/domain/refusal.js'

type Copy = { readonly Refusal: typeof Refusal; readonly unavailable: typeof unavailable }

/** Imports a second copy of the module, as happens if a dependency needs a different version. */
async function anotherCopy(): Promise<Copy> {
  const url = new URL('../../src/domain/refusal.js?another', import.meta.url)
  return (await import(url.href)) as Copy
}

describe('isRefusal', () => {
  const messages = [{ field: '', type: 'Format', message: 'no' }] as const

  it('recognizes a refusal from another copy of this module', async () => {
    const copy = await anotherCopy()
    const refusal: unknown = copy.unavailable('elsewhere')
    expect(refusal).not.to.be.instanceOf(Refusal)
    expect(isRefusal(refusal)).to.equal(true)
  })

  const error = (members: object) => Object.assign(new Error('no'), members)
  const ALIKE: Readonly<Record<string, unknown>> = {
    'an object with the same members that is not an error': { code: 'forbidden', messages, message: 'no' },
    'an error of the system': error({ code: 'ENOENT', messages: [] }),
    'an error with one of our codes and messages of another kind': error({ code: 'stale', messages: 'no' }),
    'an error with a code that only resembles one of our codes': error({ code: ['forbidden'], messages: [] }),
    'an error with the name of a member of every object': error({ code: 'toString', messages: [] }),
    null: null,
  }
  for (const [name, value] of Object.entries(ALIKE)) {
    it(`rejects ${name}`, () => {
      expect(isRefusal(value)).to.equal(false)
    })
  }
})

describe('a refusal', () => {
  const cause = new Error('why')
  const whole = (refusal: Refusal) => ({
    code: refusal.code,
    messages: refusal.messages,
    detail: refusal.detail,
    cause: refusal.cause,
  })

  it('has a name, a code and messages', () => {
    const said = ['one', 'other'].map((message) => ({ field: 'name', type: 'Format', message }) as const)
    const refusal = new Refusal('invalid', said, 'for the log', cause)
    expect(refusal).to.include({ name: 'Refusal', message: 'invalid: name: one; name: other' })
    expect(whole(refusal)).to.deep.equal({ code: 'invalid', messages: said, detail: 'for the log', cause })
    const about = { field: '', type: 'NotFound', message: 'No such pet.' } as const
    expect(whole(refuse('not-found', 'NotFound', 'No such pet.', 'pet 7'))).to.deep.equal({
      ...{ code: 'not-found', messages: [about], detail: 'pet 7', cause: undefined },
    })
  })

  it('contains the waiting time after too many attempts', () => {
    const refusal = new TooManyAttempts(1_000)
    expect(refusal).to.include({ name: 'TooManyAttempts', code: 'too-many-attempts', retryAfter: 1_000 })
    expect(refusal.messages).to.deep.equal([
      { field: '', type: 'TooMany', message: 'Too many attempts, try again later.' },
    ])
  })

  it('has one message for every invalid token, and gives the reason only in the log', () => {
    const message = { field: '', type: 'InvalidToken', message: 'Invalid authentication token.' }
    expect(whole(invalidToken('expired'))).to.deep.equal({
      ...{ code: 'invalid-token', messages: [message], detail: 'expired', cause: undefined },
    })
  })

  it('asks the caller to retry if the store is unavailable, and says what to do if the store is unusable', () => {
    const later = {
      field: '',
      type: 'Unavailable',
      message: 'The service is unavailable, try again shortly.',
    }
    expect(whole(unavailable('no server', cause))).to.deep.equal({
      ...{ code: 'unavailable', messages: [later], detail: 'no server', cause },
    })
    const sentence = 'Install it.'
    for (const [code, type] of [
      ['missing-package', 'MissingPackage'],
      ['incompatible-store', 'IncompatibleStore'],
    ] as const) {
      const messages = [{ field: '', type, message: sentence }]
      expect(whole(unusable(code, sentence, cause))).to.deep.equal({
        code,
        messages,
        detail: sentence,
        cause,
      })
    }
  })
})

describe('a transient refusal', () => {
  it('looks like `unavailable` to callers', () => {
    const cause = new Error('locked')
    const [short, long] = [transient('a lock', cause), unavailable('a lock', cause)]
    expect([short.code, short.messages, short.detail, short.cause]).to.deep.equal([
      ...[long.code, long.messages, long.detail, long.cause],
    ])
  })

  it('is distinguished from all other errors, even from errors with an `isTransient` property', () => {
    expect(isTransient(transient('a lock'))).to.equal(true)
    const others = [unavailable('gone'), Object.assign(unavailable('gone'), { isTransient: 'yes' })]
    const marked = Object.assign(new Error('no refusal'), { isTransient: true })
    expect([...others, marked].filter(isTransient)).to.deep.equal([])
  })
})

describe('an error for operators', () => {
  it('contains each reason as a sentence on a separate line of the message', () => {
    const cause = new Error('EACCES')
    const error = new OperatorError(['The file cannot be read.', 'Run it again.'], cause)
    expect(error.errors).to.deep.equal(['The file cannot be read.', 'Run it again.'])
    expect(error.message).to.equal('The file cannot be read.\nRun it again.')
    expect([error.name, error.cause]).to.deep.equal(['OperatorError', cause])
  })
})
