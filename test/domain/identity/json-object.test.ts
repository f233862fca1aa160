import { expect } from 'chai'
import { assertMembers, readJsonObject, TokenError } from '../../../src/domain/identity/json-object.js'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readJsonObject(bytesOf(text), 'payload')

describe('a JSON object in a token', () => {
  it('is rejected if it is not JSON, and the error does not quote the text', () => {
    for (const text of ['', '{', '{"secret"', 'secret', '{"secret":1}}'])
      expect(() => read(text), text).to.throw(TokenError, /^the payload is not JSON$/)
    const cut = Uint8Array.of(...bytesOf('{"a":"'), 0xff, ...bytesOf('"}'))
    expect(() => readJsonObject(cut, 'header')).to.throw(TokenError, /^the header is not JSON$/)
  })

  it('is rejected if it is a JSON value of a different type', () => {
    for (const text of ['null', '[]', '7', '"{}"', 'true'])
      expect(() => read(text), text).to.throw(TokenError, /^the payload is not an object$/)
  })

  it('is rejected if it is not canonical: duplicate members, white space, other number formats or a byte order mark', () => {
    for (const text of [
      ...['{"a":1,"a":1}', '{ "a":1}', '{"a":1}\n', '{"a":1.0}', '{"a":"\\u0061"}', '{"a":1,"1":2}'],
    ])
      expect(() => read(text), text).to.throw(TokenError, /^the payload is not canonical JSON$/)
    expect(() => read('\ufeff{}')).to.throw(TokenError)
  })
})

describe('the members of an object', () => {
  it('are accepted only if they are own members with exactly the expected names', () => {
    expect(() => assertMembers({ a: 1, b: undefined }, ['b', 'a'], 'role')).to.not.throw()
    expect(() => assertMembers({ a: 1 }, ['a', 'b'], 'role')).to.throw(TokenError, 'the role lacks "b"')
    expect(() => assertMembers({ a: 1, c: 2 }, ['a'], 'role')).to.throw(
      TokenError,
      'the role has an unknown member',
    )
    expect(() => assertMembers({}, ['toString'], 'role')).to.throw(TokenError, 'the role lacks "toString"')
  })
})
