import { expect } from 'chai'
import { isRefusal, Refusal, replyOf, unavailable } from '../../../src/index.js'
import { invalidToken, TooManyAttempts } from '../../../src/domain/refusal.js'

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

describe('replyOf, for custom routes of an embedding application', () => {
  it('returns the status and the public message, without the internal detail', () => {
    expect(replyOf(invalidToken('the cookie does not belong to an active session'))).to.deep.equal({
      status: 401,
      headers: JSON_HEADERS,
      body: { code: 401, message: 'Invalid authentication token.' },
    })
  })

  it('names the field of each message', () => {
    const refusal = new Refusal('invalid', [
      { field: 'email', type: 'Required', message: 'required' },
      { field: '', type: 'Format', message: 'unknown field "x"' },
    ])
    expect(replyOf(refusal).body).to.deep.equal({ code: 400, message: 'email: required; unknown field "x"' })
  })

  it('includes the time to retry, in whole seconds', () => {
    expect(replyOf(new TooManyAttempts(1_001)).headers).to.deep.equal({ ...JSON_HEADERS, 'Retry-After': '2' })
    expect(replyOf(unavailable('closed')).headers).to.deep.equal({ ...JSON_HEADERS, 'Retry-After': '2' })
    expect(replyOf(new Refusal('forbidden', [])).headers).to.deep.equal(JSON_HEADERS)
  })

  it('returns an object that can be converted to a `Response` without changes', async () => {
    const reply = replyOf(unavailable('closed'))
    const response = Response.json(reply.body, reply)
    expect(response.status).to.equal(503)
    expect(response.headers.get('retry-after')).to.equal('2')
    expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8')
    expect(await response.json()).to.deep.equal(reply.body)
  })

  it('accepts errors from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), {
      code: 'forbidden',
      messages: [{ field: '', type: 'Forbidden', message: 'no' }],
    })
    expect(isRefusal(foreign)).to.equal(true)
    expect(replyOf(foreign).body).to.deep.equal({ code: 403, message: 'no' })
  })

  it('rethrows an error that is not a Kennel error', () => {
    const error = new Error('of the host')
    expect(() => replyOf(error))
      .to.throw()
      .which.equals(error)
  })
})
