import { expect } from 'chai'
import { isRefusal, replyOf, unavailable } from '../../../src/index.js'
import {
  invalidToken,
  TooManyAttempts,
  notPermitted,
  Refusal,
  REFUSAL_CODES,
} from '../../../src/domain/refusal.js'
import type { HttpRequest } from '../../../src/http/message.js'
import { createBoundary } from '../../../src/http/reply/failure.js'
import { SILENT_LOG } from '../../../src/ports/log.js'
import { httpSettings } from '../../support/http/settings.js'
import { STATUS_OF, statusOf } from '../../../src/http/refusal-status.js'

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

describe('the response to a caller without a permission', () => {
  const replyIn = (production: boolean) => {
    const boundary = createBoundary(SILENT_LOG, httpSettings({ production }))
    return boundary.failed(notPermitted('pets: delete'), {
      method: 'DELETE',
      path: '/v1/pets/1',
    } as HttpRequest)
  }
  const sentence = 'You do not have permission to do this.'

  it('does not mention permissions in production', () => {
    expect(replyIn(true)).to.deep.include({ status: 403, body: { code: 403, message: sentence } })
  })

  it('names the missing permission outside production, and says where to add it', () => {
    const repair =
      'A role of the caller needs "pets: delete" in the permissions (PERMISSIONS_FILE, or the option permissions of openKennel).'
    expect(replyIn(false).body).to.deep.equal({ code: 403, message: `${sentence} ${repair}` })
  })
})

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
