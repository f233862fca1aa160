import { expect } from 'chai'
import { wordsOfCall } from '../support/refusal-of.js'
import { createSessionCookieHeaders } from '../../src/embedding/session-cookie.js'

const cookie = createSessionCookieHeaders({ name: 'sid', secure: true, sameSite: 'strict' })

describe('writing the Set-Cookie header of a session key, for custom hosts', () => {
  const flags = 'samesite=strict; secure; httponly'

  it('sets no expiry, or a maximum age in seconds', () => {
    expect(cookie.set('key')).to.equal(`__Host-sid=key; path=/; ${flags}`)
    expect(cookie.set('key', 2_592_000)).to.equal(`__Host-sid=key; path=/; max-age=2592000; ${flags}`)
  })

  it('rejects any other age', async () => {
    for (const age of [0, 1.5, Infinity, 2 ** 53, '1; domain=evil', null])
      expect(await wordsOfCall(() => cookie.set('key', age as number))).to.equal(
        'malformed | maxAge Format: must be a positive integer',
      )
  })
})

describe('the session key in a Cookie header, for custom hosts', () => {
  it('is the value of the only cookie with the session cookie name, or undefined', () => {
    expect(cookie.read('a=b; __Host-sid=good')).to.equal('good')
    for (const header of [undefined, null, '', 'sid=x', '__Host-sid', '__Host-sid=a; __Host-sid=b'])
      expect(cookie.read(header)).to.equal(undefined)
  })
})
