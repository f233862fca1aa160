import { expect } from 'chai'
import { optional, readArguments, text } from '../../../src/application/fields.js'
import {
  formText,
  formParser,
  presentedInput,
  withCheckedToken,
  isAccessToken,
  isVerifiedBy,
  type AccessToken,
  type Presented,
} from '../../../src/application/identity/presented.js'
import { checkRefreshTokens } from '../../../src/application/identity/refresh.js'
import { operations, statelessOperations } from '../../../src/application/index.js'
import { refusalOf, wordsOfCall, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

describe('a function that takes presented credentials', () => {
  it('accepts a checked token without checking it again, even if it has expired', async () => {
    const { useCases, account, login, clock } = await composeUseCases()
    await account('ada@example.com')
    const { accessToken } = await login('ada@example.com')
    let checks = 0
    const seen: unknown[] = []
    const call = withCheckedToken<{ presented: Presented; more: number }, AccessToken | undefined>(
      async (input) => {
        seen.push(input)
        return input.presented.accessToken
      },
      (token, options) => {
        checks += 1
        return useCases.checkAccessToken(token, options)
      },
    )
    clock.now = START + 3_600_000
    const token = await call({ presented: { accessToken, sessionKey: 'key' }, more: 7 })
    expect(token).to.not.equal(undefined)
    const checked = { presented: { accessToken: token, sessionKey: 'key' }, more: 7 }
    expect(await call(checked)).to.equal(token)
    expect(seen).to.deep.equal([checked, checked])
    expect(await call({ presented: {}, more: 7 })).to.equal(undefined)
    expect(checks).to.equal(1)
    const refusal = await refusalOf(call({ presented: { accessToken: 'no token' }, more: 7 }))
    expect([refusal.code, seen.length]).to.deep.equal(['invalid-token', 3])
  })
})

describe('presented credentials', () => {
  it('accept an access token as a string or as a checked token, and reject any other value', async () => {
    const { useCases, account, login } = await composeUseCases()
    await account('ada@example.com')
    const { accessToken: text } = await login('ada@example.com')
    const read = (accessToken: unknown) => readArguments([['', presentedInput]], [{ accessToken }])[0]
    for (const accessToken of [text, await useCases.checkAccessToken(text)])
      expect(read(accessToken)).to.deep.equal({ accessToken })
    for (const other of [7, null, {}])
      expect(await wordsOfCall(() => read(other))).to.equal(
        'malformed | accessToken Format: must be a string',
      )
  })
})

describe('a form', () => {
  const input = formParser({ name: formText, note: optional(text) })
  const taken = (value: object) => readArguments([['', input]], [value])[0] as { name: unknown }

  it('is read only once, and the operation reports the errors in the form', async () => {
    let readings = 0
    const given = {
      get name() {
        readings += 1
        return readings === 1 ? 'Ada' : 7
      },
      presented: {},
    }
    expect(input.read(taken(given))).to.deep.equal({ name: 'Ada' })
    expect(readings).to.equal(1)
    const wrong = taken({ name: 7, note: null, presented: {} })
    expect(await wordsOfCall(() => input.read(wrong))).to.equal(
      'malformed | name Format: must be a string | note Format: must be a string',
    )
  })

  it('reports a missing field and an unknown field together', async () => {
    expect(await wordsOfCall(() => taken({ more: 1, presented: {} }))).to.equal(
      'malformed | name Required: required | Format: unknown field "more"',
    )
  })
})

describe('checking an access token', () => {
  let kennel: Composed
  let accessToken: string
  let refreshToken: string

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account('ada@example.com')
    ;({ accessToken, refreshToken } = await kennel.login('ada@example.com'))
  })

  const check = (token: string | undefined, options?: { expired: 'refused' | 'accepted' }) =>
    kennel.useCases.checkAccessToken(token, options)

  it('rejects an expired token unless the caller accepts expired tokens', async () => {
    kennel.clock.now = START + 3_600_000
    for (const options of [undefined, { expired: 'refused' }] as const)
      expect(await wordsOf(check(accessToken, options))).to.match(
        /^invalid-token .*\(the access token has expired\)$/,
      )
    await check(accessToken, { expired: 'accepted' })
  })

  it('rejects invalid tokens and refresh tokens, even if expired tokens are accepted', async () => {
    for (const token of ['', 'no token', refreshToken, `${accessToken}a`])
      expect(await wordsOf(check(token, { expired: 'accepted' })), token)
        .to.match(/^invalid-token .*\(.+\)$/)
        .and.not.match(/expired/)
  })

  it('recognizes the tokens that it has checked, and the signer that verified them', async () => {
    const made = (await check(accessToken)) ?? expect.fail('there is no token')
    expect(isAccessToken(made)).to.equal(true)
    expect(made).to.be.frozen
    for (const other of [accessToken, null, undefined, {}, { claims: made.claims }, () => made])
      expect(isAccessToken(other)).to.equal(false)
    const { tokens } = kennel.credentials
    expect(isVerifiedBy(tokens, made)).to.equal(true)
    expect(isVerifiedBy({ ...tokens }, made)).to.equal(false)
  })

  it('returns the only objects that operations accept as checked tokens', async () => {
    const checked = await check(accessToken)
    const parts = { clock: () => START } as never
    const login = { email: 'ada@example.com', roles: [], epoch: 1, endsAt: START }
    const alike = { claims: { ...checked?.claims, login } }
    for (const unchecked of [null, alike, Object.create(checked ?? null) as unknown]) {
      const presented = { accessToken: unchecked as never }
      for (const answer of [
        statelessOperations.authenticate.factory(parts)(presented),
        statelessOperations.logout.factory(parts)(presented),
        operations.logout.factory(parts)(presented),
        checkRefreshTokens(parts, { refreshToken, presented }),
      ])
        expect(await wordsOf(answer)).to.match(/^invalid-token .*\(the access token was not checked\)$/)
    }
  })
})
