import { expect } from 'chai'
import { createKennelClient } from '../../src/client/index.js'

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
  it('are refused by name where one is misspelt', () => {
    expect(errorOf({ baseURL: baseUrl })).to.equal(`baseURL is unknown, did you mean baseUrl?; ${BASE_URL}`)
    expect(errorOf({ baseUrl, onTokenz: () => undefined })).to.equal('onTokenz is unknown')
    expect(errorOf({ baseUrl, pets: { apikey: 'x', basic: undefined } })).to.equal(
      'pets.apikey is unknown, did you mean pets.apiKey?',
    )
    expect(errorOf({ baseUrl, toString: 'x' })).to.equal('toString is unknown')
  })

  for (const options of [undefined, null, {}])
    it(`are told what is missing where they are ${JSON.stringify(options)}`, () => {
      expect(errorOf(options)).to.equal(BASE_URL)
    })

  for (const wrong of [
    undefined,
    new URL(baseUrl),
    'pets.example',
    'localhost:3000',
    'ftp://pets.example',
    'https://',
    'https://pets.example/?a=b',
    'https://pets.example/#a',
    '//pets.example',
    '',
    '/kennel',
  ])
    it(`must say where the service is: ${JSON.stringify(wrong)} does not`, () => {
      expect(errorOf({ baseUrl: wrong })).to.contain(BASE_URL)
    })

  it('may lead to where the page is from, in a page and with a fetch of its own', () => {
    const fetch = globalThis.fetch
    for (const right of ['', '/kennel']) expect(errorOf({ baseUrl: right, fetch })).to.equal('')
  })

  it('are fine where there is nothing else, or a member is undefined', () => {
    for (const right of [baseUrl, `${baseUrl}/`, 'http://[::1]:3000', `${baseUrl}/kennel`])
      expect(errorOf({ baseUrl: right })).to.equal('')
    expect(errorOf({ baseUrl, tokens: undefined, pets: { basic: undefined } })).to.equal('')
  })

  it('share a login by a name, or not at all', () => {
    for (const tabs of [true, 1, {}])
      expect(errorOf({ baseUrl, tabs })).to.equal('tabs must be false or a name')
    for (const tabs of [undefined, false]) expect(errorOf({ baseUrl, tabs })).to.equal('')
  })

  it('hold no value in what is said of them', () => {
    const secret = 'a-secret-value'
    expect(errorOf({ baseUrl: secret, passphrase: secret, pets: { key: secret } })).to.not.contain(secret)
  })
})
