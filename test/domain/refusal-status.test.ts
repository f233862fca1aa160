import { expect } from 'chai'
import { Refusal, REFUSAL_CODES, TooManyAttempts } from '../../src/domain/refusal.js'
import { STATUS_OF, statusOf } from '../../src/domain/refusal-status.js'

describe('the status of a refusal', () => {
  it('is that of its code, for each there is', () => {
    for (const code of REFUSAL_CODES) {
      expect(statusOf(new Refusal(code, []))).to.equal(STATUS_OF[code])
      expect(STATUS_OF[code]).to.be.within(400, 503)
    }
    expect(statusOf(new TooManyAttempts(1))).to.equal(429)
  })

  it('is none of what is no refusal, which is thrown on as it is', () => {
    for (const error of [
      new Error('x'),
      new TypeError('y'),
      Object.assign(new Error('z'), { code: 'forbidden' }),
    ])
      expect(() => statusOf(error))
        .to.throw()
        .which.equals(error)
  })
})
