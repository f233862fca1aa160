import { expect } from 'chai'
import { readOwnProof, wrongPart } from '../../../../src/application/identity/second-factor/own-proof.js'
import type { SecondFactor } from '../../../../src/domain/identity/second-factor.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { ACTIVE, CALLER, CLIENT, fakedFactorParts, PASSWORD, PENDING } from './faked-factor-parts.js'

describe('the proof of a password and a code', () => {
  const { parts } = fakedFactorParts(ACTIVE)
  const read = async (fields: object) =>
    await Promise.resolve().then(() =>
      readOwnProof(parts, CALLER, { password: undefined, code: undefined, ...fields }),
    )

  it('names all missing parts, or the first part of a wrong type', async () => {
    expect(await wordsOf(read({}))).to.equal(
      'invalid | password Required: required | code Required: required',
    )
    expect(await wordsOf(read({ password: ['x'], code: 7 }))).to.equal(
      'malformed | password Format: must be a string',
    )
    expect(await read({ password: 'x', code: '1' })).to.deep.equal({
      caller: CALLER,
      password: 'x',
      code: '1',
    })
  })

  const judge = async (password: string, factor: SecondFactor | undefined, isRight = true) => {
    let judged = 0
    const { parts: own } = fakedFactorParts(factor)
    const wrong = wrongPart(own, { caller: CALLER, password }, CLIENT, async () => {
      judged += 1
      return isRight
    })
    return { wrong: await wrong.catch(() => wordsOf(wrong)), judged }
  }

  it('judges the code only if the password is right and a factor is active', async () => {
    const conflict = 'conflict | Conflict: No second factor is active.'
    for (const [password, factor, isRight, wrong, judged] of [
      [PASSWORD, ACTIVE, true, undefined, 1],
      [PASSWORD, ACTIVE, false, 'code', 1],
      ['wrong', ACTIVE, true, 'password', 0],
      ['wrong', undefined, true, 'password', 0],
      [PASSWORD, PENDING, true, conflict, 0],
      [PASSWORD, undefined, true, conflict, 0],
    ] as const)
      expect(await judge(password, factor, isRight)).to.deep.equal({ wrong, judged })
  })
})
