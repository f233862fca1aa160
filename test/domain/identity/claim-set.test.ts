import { expect } from 'chai'
import { readClaimSet, writeClaimSet } from '../../../src/domain/identity/claim-set.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import { TokenError } from '../../../src/domain/identity/token-error.js'
import { actorOf, claimsOf, ISSUER, MODES, type Mode } from '../../support/tokens/token-bench.js'

const LIFETIME = 900_000
const expected = (mode: Mode) =>
  ({ kind: 'access', issuer: ISSUER, lifetime: LIFETIME, stateless: mode.login !== undefined }) as const

for (const mode of MODES) {
  describe(`a claim set, ${mode.name},`, () => {
    const claims = claimsOf('access', mode)
    const written = writeClaimSet(claims, ISSUER)
    const read = (members: typeof written) => readClaimSet(members, expected(mode))
    const altered = (change: Readonly<Record<string, unknown>>) => () => read({ ...written, ...change })

    it('is read as it was written, with and without an actor, and frozen', () => {
      const acted: Claims = { ...claims, actor: actorOf(mode) }
      for (const one of [claims, acted]) {
        const again = read(writeClaimSet(one, ISSUER))
        expect(again).to.deep.equal(one)
        expect(Object.isFrozen(again)).to.equal(true)
      }
    })

    it('is written in a fixed order, which determines the bytes of a token', () => {
      const names = Object.keys(writeClaimSet({ ...claims, actor: actorOf(mode) }, ISSUER))
      const login = mode.login ? ['email', 'roles', 'epoch', 'session_exp'] : []
      expect(names).to.deep.equal(['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'nbf', 'exp', ...login, 'act'])
    })

    it('has every member and no other', () => {
      for (const name of Object.keys(written)) {
        const { [name]: _, ...without } = written
        expect(() => read(without), name).to.throw(TokenError, `the payload lacks "${name}"`)
      }
      expect(altered({ admin: true })).to.throw(TokenError, 'the payload has an unknown member')
    })

    it('has the methods of a second factor only if it carries a login', () => {
      const amr = altered({ amr: ['pwd', 'otp'], factor_since: 7 })
      if (!mode.login) expect(amr).to.throw(TokenError, 'the payload has an unknown member')
      else expect(amr()).to.deep.equal({ ...claims, login: { ...mode.login, factor: 7 } })
    })

    it('is of this issuer and kind', () => {
      expect([written['iss'], written['aud']]).to.deep.equal([ISSUER, `${ISSUER}/access`])
      const refresh = writeClaimSet({ ...claims, kind: 'refresh' }, ISSUER)
      expect(refresh['aud']).to.equal(`${ISSUER}/refresh`)
      expect(altered({ iss: 'https://evil.example' })).to.throw(TokenError, 'another issuer')
      for (const aud of [`${ISSUER}/refresh`, ISSUER, [`${ISSUER}/access`]])
        expect(altered({ aud })).to.throw(TokenError, 'another audience')
    })

    it('is rejected if a name or a time is invalid', () => {
      expect(altered({ sub: 'ada' })).to.throw(TokenError, '"sub" is not an account id')
      for (const name of ['sid', 'jti'])
        for (const wrong of ['', 7, null, {}])
          expect(altered({ [name]: wrong })).to.throw(TokenError, `"${name}" is not a name`)
      for (const name of ['iat', 'nbf', 'exp'])
        for (const wrong of [-1, 1.5, '1', null, Number.NaN, 2 ** 53])
          expect(altered({ [name]: wrong })).to.throw(TokenError, `"${name}" is not a time`)
    })

    it('begins when it was issued, ends later, and lives no longer than configured', () => {
      const { iat } = written as { iat: number }
      expect(altered({ nbf: iat + 1 })).to.throw(TokenError, '"nbf" differs from "iat"')
      expect(altered({ exp: iat })).to.throw(TokenError, '"exp" is not after "iat"')
      expect(altered({ exp: iat + LIFETIME / 1000 })).to.not.throw()
      expect(altered({ exp: iat + LIFETIME / 1000 + 1 })).to.throw(TokenError, 'longer than the configured')
    })

    it('of the other mode is rejected', () => {
      const other = MODES.find((one) => one !== mode)!
      expect(() => readClaimSet(written, expected(other))).to.throw(TokenError, /lacks|unknown member/)
    })
  })
}
