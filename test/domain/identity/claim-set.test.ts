import { expect } from 'chai'
import {
  LOGIN_MEMBERS,
  readAccountId,
  readActor,
  readClaimSet,
  readLogin,
  writeActor,
  writeClaimSet,
  writeLogin,
} from '../../../src/domain/identity/claim-set.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import { TokenError } from '../../../src/domain/identity/json-object.js'
import { actorOf, claimsOf, ISSUER, MODES, STATELESS, type Mode } from '../../support/tokens/token-bench.js'

const LIFETIME = 900_000
const expected = (mode: Mode) =>
  ({ kind: 'access', issuer: ISSUER, lifetime: LIFETIME, stateless: mode.login !== undefined }) as const

for (const mode of MODES) {
  describe(`a claim set in ${mode.name} mode`, () => {
    const claims = claimsOf('access', mode)
    const written = writeClaimSet(claims, ISSUER)
    const read = (members: typeof written) => readClaimSet(members, expected(mode))
    const altered = (change: Readonly<Record<string, unknown>>) => () => read({ ...written, ...change })

    it('is frozen and equal to the original after being written and read, with and without an actor', () => {
      const acted: Claims = { ...claims, actor: actorOf(mode) }
      for (const one of [claims, acted]) {
        const again = read(writeClaimSet(one, ISSUER))
        expect(again).to.deep.equal(one)
        expect(Object.isFrozen(again)).to.equal(true)
      }
    })

    it('is written in a fixed order, which determines the bytes of the token', () => {
      const names = Object.keys(writeClaimSet({ ...claims, actor: actorOf(mode) }, ISSUER))
      const login = mode.login ? ['email', 'roles', 'epoch', 'session_exp'] : []
      expect(names).to.deep.equal(['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'nbf', 'exp', ...login, 'act'])
    })

    it('is rejected if a member is missing or unknown', () => {
      for (const name of Object.keys(written)) {
        const { [name]: _, ...without } = written
        expect(() => read(without), name).to.throw(TokenError, `the payload lacks "${name}"`)
      }
      expect(altered({ admin: true })).to.throw(TokenError, 'the payload has an unknown member')
    })

    it('may contain second-factor methods only if it contains a login', () => {
      const amr = altered({ amr: ['pwd', 'otp'], factor_since: 7 })
      if (!mode.login) expect(amr).to.throw(TokenError, 'the payload has an unknown member')
      else expect(amr()).to.deep.equal({ ...claims, login: { ...mode.login, factor: 7 } })
    })

    it('is accepted only with the expected issuer and token kind', () => {
      expect([written['iss'], written['aud']]).to.deep.equal([ISSUER, `${ISSUER}/access`])
      const refresh = writeClaimSet({ ...claims, kind: 'refresh' }, ISSUER)
      expect(refresh['aud']).to.equal(`${ISSUER}/refresh`)
      for (const iss of ['https://evil.example', `${ISSUER}/`, ISSUER.toUpperCase(), [ISSUER], null])
        expect(altered({ iss })).to.throw(TokenError, 'unexpected issuer')
      for (const aud of [`${ISSUER}/refresh`, 'https://evil.example/access', ISSUER, [`${ISSUER}/access`]])
        expect(altered({ aud })).to.throw(TokenError, 'unexpected audience')
    })

    it('is rejected if an identifier or a time is invalid', () => {
      expect(altered({ sub: 'ada' })).to.throw(TokenError, '"sub" is not an account id')
      for (const name of ['sid', 'jti'])
        for (const wrong of ['', 7, null, {}])
          expect(altered({ [name]: wrong })).to.throw(TokenError, `"${name}" is not a name`)
      for (const name of ['iat', 'nbf', 'exp'])
        for (const wrong of [-1, 1.5, '1', null, Number.NaN, 2 ** 53])
          expect(altered({ [name]: wrong })).to.throw(TokenError, `"${name}" is not a time`)
    })

    it('is valid from its issue time, expires later, and lasts no longer than the configured lifetime', () => {
      const { iat } = written as { iat: number }
      expect(altered({ nbf: iat + 1 })).to.throw(TokenError, '"nbf" differs from "iat"')
      expect(altered({ exp: iat })).to.throw(TokenError, '"exp" is not after "iat"')
      expect(altered({ exp: iat + LIFETIME / 1000 })).to.not.throw()
      expect(altered({ exp: iat + LIFETIME / 1000 + 1 })).to.throw(TokenError, 'longer than the configured')
    })

    it('is rejected if it is in the format of the other mode', () => {
      const other = MODES.find((one) => one !== mode)!
      expect(() => readClaimSet(written, expected(other))).to.throw(TokenError, /lacks|unknown member/)
    })
  })
}

const LOGIN = STATELESS.login!
describe('the login data in a token', () => {
  it('is unchanged after being written and read, and is frozen together with its roles', () => {
    const read = readLogin(writeLogin(LOGIN))
    expect(read).to.deep.equal(LOGIN)
    const bare = { ...LOGIN, roles: [] }
    expect(readLogin(writeLogin(bare))).to.deep.equal(bare)
    for (const part of [read, read.roles, ...read.roles]) expect(Object.isFrozen(part)).to.equal(true)
  })

  it('is written with its members in a fixed order, and without unknown role members', () => {
    const more = { ...LOGIN, roles: LOGIN.roles.map((role) => ({ ...role, secret: 'no' })) }
    expect(Object.keys(writeLogin(more))).to.deep.equal([...LOGIN_MEMBERS])
    expect(JSON.stringify(writeLogin(more))).to.equal(JSON.stringify(writeLogin(LOGIN)))
  })

  it('lists the second factor as a method of RFC 8176 if the login used one', () => {
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
  })

  it('contains the methods of a passkey, with or without a second factor', () => {
    const passkey = { ...LOGIN, passkey: true } as const
    expect(writeLogin(passkey)).to.deep.equal({ ...writeLogin(LOGIN), amr: ['pop', 'mfa'] })
    for (const proven of [passkey, { ...passkey, factor: 7 }])
      expect(readLogin(writeLogin(proven))).to.deep.equal(proven)
  })

  it('is rejected with a reason for the log if a member has the wrong type', () => {
    const written = { ...writeLogin(LOGIN), amr: ['pwd', 'otp'], factor_since: 7 }
    const [role] = LOGIN.roles
    const notPositive = [0, -1, 1.5, '3', null, 2 ** 53, [3]]
    const rows = [null, 'admin', [], { ...role, label: 7 }, { ...role, uuid: null }, { ...role, key: 7 }]
    const methods = [
      ['pwd'],
      ['otp', 'pwd'],
      ['pwd', 'hwk'],
      ['hwk', 'otp'],
      ['pwd', 'otp', 'hwk'],
      ['pop'],
      ['mfa', 'pop'],
      ['pop', 'mfa', 'otp'],
    ]
    const wrong: readonly (readonly [name: string, values: readonly unknown[], reason: string])[] = [
      ['email', ['', null, 7, ['ada@example.org']], '"email" is not an address'],
      ['epoch', notPositive, '"epoch" is not a number'],
      ['session_exp', notPositive, '"session_exp" is not a time'],
      ['roles', [null, {}, 'admin', { 0: role, length: 1 }], '"roles" is not a list'],
      ['roles', rows.map((row) => [row]), '"roles" has an invalid role'],
      ['roles', [[{}]], 'the role lacks "uuid"'],
      ['roles', [[{ uuid: '1', key: 'a' }]], 'the role lacks "label"'],
      ['roles', [[{ ...role, more: 1 }]], 'the role has an unknown member'],
      [
        'amr',
        [[], ...methods, 'pwd otp', null, {}, true],
        '"amr" is not the list for a login with a second factor',
      ],
      ['amr', [undefined], '"factor_since" is not the time at which a second factor was set up'],
      [
        'factor_since',
        [...notPositive, true],
        '"factor_since" is not the time at which a second factor was set up',
      ],
    ]
    for (const [name, values, reason] of wrong)
      for (const value of values)
        expect(() => readLogin({ ...written, [name]: value }), `${name} ${JSON.stringify(value)}`).to.throw(
          TokenError,
          reason,
        )
  })
})

describe('the actor in a token', () => {
  for (const mode of MODES) {
    const stateless = mode.login !== undefined
    it(`is frozen and equal to the original after being written and read (${mode.name})`, () => {
      const actor = actorOf(mode)
      const read = readActor(writeActor(actor), stateless)
      expect(read).to.deep.equal(actor)
      expect([read, read.login ?? read].every((one) => Object.isFrozen(one))).to.equal(true)
    })

    it(`is rejected if a member is missing, unknown or invalid (${mode.name})`, () => {
      const written = writeActor(actorOf(mode))
      for (const name of Object.keys(written)) {
        const { [name]: _, ...without } = written
        expect(() => readActor(without, stateless), name).to.throw(TokenError, `lacks "${name}"`)
        for (const wrong of [null, '', 0, -1, 1.5, 2 ** 53, [], {}, true])
          expect(() => readActor({ ...written, [name]: wrong }, stateless), name).to.throw(TokenError)
      }
      for (const more of [{ more: 1 }, { act: written }])
        expect(() => readActor({ ...written, ...more }, stateless)).to.throw(TokenError, 'unknown member')
      for (const none of [null, undefined, 'ada', [], 7])
        expect(() => readActor(none, stateless)).to.throw(TokenError, '"act" is not an object')
    })
  }
})

describe('an invalid actor', () => {
  it('is rejected with a reason for the log', () => {
    const written = { sub: '7', email: 'ada@kennel.example', epoch: 3, session_exp: 1_900_000_000 }
    const wrong = {
      sub: [0, '"act" is not an account id'],
      email: ['', '"act" has no address'],
      epoch: [0, '"act" has no epoch'],
      session_exp: [0, '"act" has no end'],
    } as const
    const texts = ['', '0', '01', '-1', '+1', '1.0', '1e1', '0x1', ' 1', '1\n', '١', `${2 ** 53}`]
    for (const sub of [...texts, 7, null, undefined, [7]])
      expect(() => readAccountId(sub, 'sub')).to.throw(TokenError, '"sub" is not an account id')
    expect(readAccountId(String(2 ** 53 - 1), 'sub')).to.equal(2 ** 53 - 1)
    for (const [name, [value, message]] of Object.entries(wrong))
      expect(() => readActor({ ...written, [name]: value }, true)).to.throw(TokenError, message)
    expect(() => readActor({}, true))
      .to.throw(TokenError, 'the actor lacks "sub"')
      .with.property('name', 'TokenError')
  })
})
