import { expect } from 'chai'
import { LOGIN_MEMBERS, readLogin, writeLogin } from '../../../src/domain/identity/token-login.js'
import { TokenError } from '../../../src/domain/identity/token-error.js'
import { STATELESS } from '../../support/tokens/token-bench.js'

const LOGIN = STATELESS.login!
/** The reason in the log for each invalid member. */
const RULES: Readonly<Record<string, string>> = {
  email: 'is not an address',
  epoch: 'is not a number',
  session_exp: 'is not a time',
}

describe('the login that a token carries', () => {
  it('is read as it was written, and frozen with each of its roles', () => {
    const read = readLogin(writeLogin(LOGIN))
    expect(read).to.deep.equal(LOGIN)
    for (const part of [read, read.roles, ...read.roles]) expect(Object.isFrozen(part)).to.equal(true)
  })

  it('is written in a fixed order, with the known members of roles only', () => {
    const more = { ...LOGIN, roles: LOGIN.roles.map((role) => ({ ...role, secret: 'no' })) }
    expect(Object.keys(writeLogin(more))).to.deep.equal([...LOGIN_MEMBERS])
    expect(JSON.stringify(writeLogin(more))).to.equal(JSON.stringify(writeLogin(LOGIN)))
  })

  it('contains a second factor in the form of RFC 8176, if there was one', () => {
    const proven = { ...LOGIN, factor: 1_767_323_045_678 }
    const written = writeLogin(proven)
    expect(written).to.deep.equal({
      ...writeLogin(LOGIN),
      amr: ['pwd', 'otp'],
      factor_since: 1_767_323_045_678,
    })
    expect(readLogin(written)).to.deep.equal(proven)
    const { factor_since: _, ...ofEarlierRelease } = written
    expect(readLogin(ofEarlierRelease)).to.deep.equal(LOGIN)
    for (const factor_since of [0, -1, 1.5, '1767323045678', null, true])
      expect(() => readLogin({ ...written, factor_since }), String(factor_since)).to.throw(
        TokenError,
        'factor_since',
      )
    expect(() => readLogin({ ...writeLogin(LOGIN), factor_since: 1 })).to.throw(TokenError, 'factor_since')
    for (const amr of [
      [],
      ['pwd'],
      ['otp', 'pwd'],
      ['pwd', 'hwk'],
      ['hwk', 'otp'],
      ['pwd', 'otp', 'hwk'],
      'pwd otp',
      null,
      {},
      true,
    ])
      expect(() => readLogin({ ...written, amr }), JSON.stringify(amr)).to.throw(TokenError, 'amr')
  })

  it('is refused with a member of another type', () => {
    const written = writeLogin(LOGIN)
    const wrong = {
      email: ['', null, 7, ['ada@example.org']],
      epoch: [0, -1, 1.5, '3', null],
      session_exp: [0, -1, 1.5, '3', null],
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        expect(() => readLogin({ ...written, [name]: value }), `${name} ${JSON.stringify(value)}`).to.throw(
          TokenError,
          `"${name}" ${RULES[name] ?? ''}`,
        )
    for (const roles of [null, {}, 'admin'])
      expect(() => readLogin({ ...written, roles })).to.throw(TokenError, '"roles" is not a list')
    for (const roles of [[null], ['admin'], [[]], [{ uuid: '1', key: 'a' }]])
      expect(() => readLogin({ ...written, roles })).to.throw(TokenError)
    const [role] = LOGIN.roles
    for (const row of [
      { ...role, more: 1 },
      { ...role, label: 7 },
      { ...role, uuid: null },
      { ...role, key: 7 },
    ])
      expect(() => readLogin({ ...written, roles: [row] }), JSON.stringify(row)).to.throw(TokenError, /role/)
    const bare = () => readLogin({ ...written, roles: ['admin'] })
    expect(bare).to.throw(TokenError, '"roles" has an invalid row')
    expect(() => readLogin({ ...written, roles: [{ ...role, label: 7 }] })).to.throw(
      TokenError,
      '"roles" has an invalid row',
    )
    expect(() => readLogin({ ...written, roles: [{}] })).to.throw(TokenError, 'the role lacks "uuid"')
  })
})
