import { expect } from 'chai'
import { createKennelClient, createCookieJar } from '../../src/client/index.js'

const create = createKennelClient as (options?: unknown) => unknown
const baseUrl = 'https://pets.example'
const BASE_URL =
  'baseUrl must be an http or https URL, such as https://pets.example; in a page also empty or a path'

function errorOf(options?: unknown): string {
  try {
    create(options)
  } catch (error) {
    expect(error).to.be.instanceOf(TypeError)
    return (error as TypeError).message.replace(/^createKennelClient: /, '')
  }
  return ''
}

describe('the options of a client', () => {
  it('are rejected if they are misspelled, with an error that names them', () => {
    expect(errorOf({ baseURL: baseUrl })).to.equal(`baseURL is unknown; did you mean baseUrl?; ${BASE_URL}`)
    expect(errorOf({ baseUrl, onTokenz: () => undefined })).to.equal('onTokenz is unknown')
    expect(errorOf({ baseUrl, pets: { apikey: 'x', basic: undefined } })).to.equal(
      'pets.apikey is unknown; did you mean pets.apiKey?',
    )
    expect(errorOf({ baseUrl, toString: 'x' })).to.equal('toString is unknown')
  })

  it('require the absolute URL of the service', () => {
    for (const options of [undefined, null, {}]) expect(errorOf(options)).to.equal(BASE_URL)
    for (const wrong of [
      ...[undefined, new URL(baseUrl), 'pets.example', 'localhost:3000', 'ftp://pets.example', 'https://'],
      ...[`${baseUrl}/?a=b`, `${baseUrl}/#a`, '//pets.example', '', '/kennel'],
    ])
      expect(errorOf({ baseUrl: wrong }), String(wrong)).to.equal(BASE_URL)
    for (const right of [baseUrl, `${baseUrl}/`, 'http://[::1]:3000', `${baseUrl}/kennel`])
      expect(errorOf({ baseUrl: right, tokens: undefined, pets: { basic: undefined } })).to.equal('')
  })

  it('accept a base URL relative to the page, in a browser page or with a custom fetch', () => {
    const fetch = globalThis.fetch
    for (const right of ['', '/kennel']) expect(errorOf({ baseUrl: right, fetch })).to.equal('')
  })

  it('accept only a known storage, and a name or false for the channel that tabs share', () => {
    for (const tabs of [true, 1, {}])
      expect(errorOf({ baseUrl, tabs })).to.equal('tabs must be false or a name')
    for (const tabs of [undefined, false]) expect(errorOf({ baseUrl, tabs })).to.equal('')
    const storages = "storage must be 'sessionStorage' or a similar object"
    expect(errorOf({ baseUrl, storage: 'localStorage' })).to.equal(storages)
  })

  it('are rejected without repeating any value in the message', () => {
    const secret = 'a-secret-value'
    expect(errorOf({ baseUrl: secret, passphrase: secret, pets: { key: secret } })).to.not.contain(secret)
  })
})

const NOW = Date.UTC(2026, 0, 1)

/** Returns the cookies that remain some time after the server has sent these `Set-Cookie` lines. */
function keptOf(lines: readonly string[], later = 0): string {
  const clock = { now: NOW }
  const jar = createCookieJar(() => clock.now)
  for (const line of lines) jar.set(line)
  clock.now += later
  return jar.get()
}

describe('the cookie jar', () => {
  for (const [what, lines, kept] of [
    ['is empty at first', [], ''],
    ['keeps a cookie without its attributes', ['sid=abc; path=/; samesite=strict; httponly'], 'sid=abc'],
    ['keeps a value with special characters', ['sid=a=b==; Secure'], 'sid=a=b=='],
    ['keeps several', ['sid=abc', '__Host-sid=def; secure'], 'sid=abc; __Host-sid=def'],
    ['keeps the last cookie of a name', ['sid=abc', 'sid=def'], 'sid=def'],
    ['removes an expired cookie', ['sid=abc', 'sid=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT'], ''],
    [
      'removes a cookie with Max-Age=0',
      ['sid=abc', 'sid=abc; Max-Age=0; Expires=Fri, 01 Jan 2100 00:00:00 GMT'],
      '',
    ],
    ['keeps a cookie with an invalid expiry', ['sid=abc; Max-Age=long; Expires=never'], 'sid=abc'],
    [
      'distinguishes a name with an extra character before it',
      ['sid=abc', '\u00a0sid=def', ' \tsid \t=\tghi '],
      'sid=ghi; \u00a0sid=def',
    ],
    ['ignores a malformed line', ['', '=x', ';;=', 'sid=abc'], 'sid=abc'],
  ] as const) {
    it(what, () => {
      expect(keptOf(lines)).to.equal(kept)
    })
  }

  it('removes a cookie after it expires', () => {
    const lines = ['one=1; max-age=60', 'two=2; expires=Thu, 01 Jan 2026 00:02:00 GMT', 'three=3']
    expect(keptOf(lines, 59_999)).to.equal('one=1; two=2; three=3')
    expect(keptOf(lines, 60_000)).to.equal('two=2; three=3')
    expect(keptOf(lines, 120_000)).to.equal('three=3')
  })
})
