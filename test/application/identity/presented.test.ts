import { expect } from 'chai'
import type { AccessToken } from '../../../src/application/identity/check-access-token.js'
import { presented, type CheckedCredentials } from '../../../src/application/identity/presented.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, START } from '../../support/use-cases.js'

describe('credentials as they came', () => {
  it('are checked once, an expired token too, and handed on with the rest; what was checked is not again', async () => {
    const { useCases, account, login, clock } = await composeUseCases()
    await account('ada@example.com')
    const { accessToken } = await login('ada@example.com')
    let checks = 0
    const checkAccessToken = ((token, options) => {
      checks += 1
      return useCases.checkAccessToken(token, options)
    }) as typeof useCases.checkAccessToken
    const seen: unknown[] = []
    const make = () => (input: { presented: CheckedCredentials; more: number }) => {
      seen.push(input)
      return Promise.resolve(input.presented.accessToken)
    }
    const useCase = presented<object, ReturnType<typeof make>>(make)({ checkAccessToken })
    clock.now = START + 3_600_000
    const token: AccessToken | undefined = await useCase({
      presented: { accessToken, sessionKey: 'key' },
      more: 7,
    })
    expect(token).to.not.equal(undefined)
    expect(await useCase({ presented: { accessToken: token, sessionKey: 'key' }, more: 7 })).to.equal(token)
    const handedOn = { presented: { accessToken: token, sessionKey: 'key' }, more: 7 }
    expect(seen).to.deep.equal([handedOn, handedOn])
    expect(await useCase({ presented: {}, more: 7 })).to.equal(undefined)
    expect(checks).to.equal(1)
    const refusal = await refusalOf(useCase({ presented: { accessToken: 'no token' }, more: 7 }))
    expect([refusal.code, seen.length]).to.deep.equal(['invalid-token', 3])
  })

  it('are checked also where they are all that there is', async () => {
    const accessToken = Object.freeze({}) as AccessToken
    const seen: unknown[] = []
    const make = () => async (input: CheckedCredentials) => void seen.push(input)
    const useCase = presented<object, ReturnType<typeof make>>(make)({
      checkAccessToken: async () => accessToken,
    })
    await useCase({ accessToken: 'token', sessionKey: 'key' })
    await useCase({ sessionKey: 'key' })
    expect(seen).to.deep.equal([{ accessToken, sessionKey: 'key' }, { sessionKey: 'key' }])
  })
})
