import { expect } from 'chai'
import { isRefusal, replyOf, statusOf, unavailable } from '../../../src/index.js'
import { invalidToken, TooManyAttempts, notPermitted, Refusal } from '../../../src/domain/refusal.js'
import type { HttpRequest } from '../../../src/http/message.js'
import { createBoundary } from '../../../src/http/reply/failure.js'
import { SILENT_LOG } from '../../../src/ports/log.js'
import { httpSettings } from '../../support/http/settings.js'

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

describe('replyOf, for custom routes of an embedding application', () => {
  it('returns the status and the public message, without the internal detail', () => {
    expect(replyOf(invalidToken('the cookie does not belong to an active session'))).to.deep.equal({
      status: 401,
      headers: JSON_HEADERS,
      body: { code: 401, message: 'Invalid authentication token.' },
    })
  })

  it('includes the delay before a retry, in whole seconds', () => {
    expect(replyOf(new TooManyAttempts(1_001)).headers).to.deep.equal({ ...JSON_HEADERS, 'Retry-After': '2' })
    expect(replyOf(unavailable('closed')).headers).to.deep.equal({ ...JSON_HEADERS, 'Retry-After': '2' })
    expect(replyOf(new Refusal('forbidden', [])).headers).to.deep.equal(JSON_HEADERS)
  })

  it('accepts errors from another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), {
      code: 'forbidden',
      messages: [{ field: '', type: 'Forbidden', message: 'no' }],
    })
    expect([isRefusal(foreign), statusOf(foreign)]).to.deep.equal([true, 403])
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
