import { expect } from 'chai'
import type { AccessToken } from '../../../src/application/identity/check-access-token.js'
import {
  withCheckedToken,
  type CheckedCredentials,
  type Presented,
} from '../../../src/application/identity/presented.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, START } from '../../support/use-cases.js'

describe('a function for presented credentials', () => {
  it('gets a checked token, also an expired one, and a checked token is not checked again', async () => {
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

  it('also takes the credentials alone', async () => {
    const accessToken = Object.freeze({}) as AccessToken
    const seen: CheckedCredentials[] = []
    const call = withCheckedToken<Presented, unknown>(
      async (input) => void seen.push(input),
      async () => accessToken,
    )
    await call({ accessToken: 'token', sessionKey: 'key' })
    await call({ sessionKey: 'key' })
    expect(seen).to.deep.equal([{ accessToken, sessionKey: 'key' }, { sessionKey: 'key' }])
  })
})
