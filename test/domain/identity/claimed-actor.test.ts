import { expect } from 'chai'
import { readAccountId, readActor, writeActor } from '../../../src/domain/identity/claimed-actor.js'
import { TokenError } from '../../../src/domain/identity/token-error.js'
import { actorOf, MODES } from '../../support/tokens/token-bench.js'

describe('the actor in a token', () => {
  for (const mode of MODES) {
    const stateless = mode.login !== undefined
    it(`is read as it was written, and frozen (${mode.name})`, () => {
      const actor = actorOf(mode)
      const read = readActor(writeActor(actor), stateless)
      expect(read).to.deep.equal(actor)
      expect([read, read.login ?? read].every((one) => Object.isFrozen(one))).to.equal(true)
    })

    it(`is rejected with a missing, unknown or invalid member (${mode.name})`, () => {
      const written = writeActor(actorOf(mode))
      for (const name of Object.keys(written)) {
        const { [name]: _, ...without } = written
        expect(() => readActor(without, stateless), name).to.throw(TokenError, `lacks "${name}"`)
        for (const wrong of [null, '', 0, -1, 1.5, [], {}, true])
          expect(() => readActor({ ...written, [name]: wrong }, stateless), name).to.throw(TokenError)
      }
      expect(() => readActor({ ...written, more: 1 }, stateless)).to.throw(TokenError, 'unknown member')
      for (const none of [null, undefined, 'ada', [], 7])
        expect(() => readActor(none, stateless)).to.throw(TokenError, '"act" is not an object')
    })
  }
})

describe('an invalid actor', () => {
  it('is rejected with a reason for the log', () => {
    const written = { sub: '7', email: 'ada@kennel.example', epoch: 3, session_exp: 1_900_000_000 }
    const wrong = {
      sub: [0, '"act" is not an account id'],
      email: ['', '"act" has no address'],
      epoch: [0, '"act" has no epoch'],
      session_exp: [0, '"act" has no end'],
    } as const
    for (const [name, [value, message]] of Object.entries(wrong))
      expect(() => readActor({ ...written, [name]: value }, true)).to.throw(TokenError, message)
    expect(() => readActor({}, true))
      .to.throw(TokenError, 'the actor lacks "sub"')
      .with.property('name', 'TokenError')
  })
})

describe('an account id in a token', () => {
  it('is the plain decimal text of a safe positive integer', () => {
    expect(readAccountId('1', 'sub')).to.equal(1)
    expect(readAccountId(String(2 ** 53 - 1), 'sub')).to.equal(2 ** 53 - 1)
    for (const wrong of ['', '0', '01', '-1', '1.0', ' 1', '1\n', '١', String(2 ** 53), 7, null, undefined])
      expect(() => readAccountId(wrong, 'sub')).to.throw(TokenError, '"sub" is not an account id')
  })
})
