import { expect } from 'chai'
import { Refusal, REFUSAL_CODES, TooManyAttempts } from '../../src/domain/refusal.js'
import { STATUS_OF, statusOf } from '../../src/http/refusal-status.js'

describe('the HTTP status for a refusal', () => {
  it('is determined by the code of the refusal', () => {
    for (const code of REFUSAL_CODES) expect(statusOf(new Refusal(code, []))).to.equal(STATUS_OF[code])
    expect(statusOf(new TooManyAttempts(1))).to.equal(429)
  })

  it('matches the documentation', () => {
    const { 400: wrong, 401: anonymous, 500: unusable, 503: later, ...others } = codesByStatus()
    expect(wrong).to.deep.equal(['malformed', 'invalid'])
    expect(anonymous).to.deep.equal([
      ...['login-failed', 'second-factor-required', 'fresh-login-required', 'invalid-token'],
      ...['invalid-credentials', 'unauthenticated'],
    ])
    expect(unusable).to.deep.equal(['incompatible-store', 'missing-package'])
    expect(later).to.deep.equal(['overloaded', 'unavailable'])
    expect(others).to.deep.equal({
      403: ['forbidden'],
      404: ['not-found'],
      409: ['conflict'],
      412: ['stale'],
      422: ['idempotency-key-reused'],
      429: ['too-many-attempts'],
    })
  })

  it('is not defined for other errors, which are rethrown unchanged', () => {
    for (const error of [new TypeError('y'), Object.assign(new Error('z'), { code: 'forbidden' })])
      expect(() => statusOf(error))
        .to.throw()
        .which.equals(error)
  })
})

function codesByStatus(): Record<number, string[]> {
  const all: Record<number, string[]> = {}
  for (const [code, status] of Object.entries(STATUS_OF)) all[status] = [...(all[status] ?? []), code]
  return all
}
