import { expect } from 'chai'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import { refusalOf, refused } from '../../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../../support/use-cases.js'

const email = 'ada@example.com'

describe('refresh, stateless', () => {
  let kennel: Composed
  let first: Issued

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateless-revocable' })
    await kennel.account(email, ['editor'])
    first = await kennel.login(email)
  })

  const refresh = (refreshToken: unknown = first.refreshToken, accessToken?: string) =>
    kennel.useCases.refresh({ refreshToken, presented: accessToken === undefined ? {} : { accessToken } })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('gives a new pair of the same login, with the roles of now, as often as it is asked', async () => {
    await kennel.useCases.assignRole({ caller: OPERATOR, email, role: 'editor', remove: true })
    const [one, other] = [await refresh(), await refresh()]
    expect(one.accessToken).to.not.equal(other.accessToken)
    expect(one).to.not.have.property('sessionKey')
    // Tokens tell the end in whole seconds.
    expect(one.endsAt).to.equal(Math.floor(first.endsAt / 1000) * 1000)
    expect(one.identity).to.deep.include({ roles: [], sessionId: first.identity.sessionId })
  })

  it('is refused without a token, with one of another kind, and with an access token of another login', async () => {
    expect(await refused(kennel.useCases.refresh({ refreshToken: undefined, presented: {} }))).to.deep.equal([
      'invalid-token',
      'refreshToken',
      'Required',
    ])
    expect(await codeOf(refresh(7))).to.equal('malformed')
    expect(await codeOf(refresh(first.accessToken))).to.equal('invalid-token')
    const other = await kennel.login(email)
    expect(await codeOf(refresh(first.refreshToken, other.accessToken))).to.equal('invalid-token')
  })

  it('is refused once the login was revoked', async () => {
    await kennel.useCases.logout({ accessToken: first.accessToken })
    expect(await codeOf(refresh())).to.equal('invalid-token')
  })

  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    disabled: () => kennel.useCases.disableUser({ caller: OPERATOR, email }),
    deleted: () => kennel.useCases.deleteUser({ caller: OPERATOR, email }),
    'given another password': () =>
      kennel.useCases.setPassword({ caller: OPERATOR, email, password: 'another good password' }),
  }
  for (const [name, change] of Object.entries(changes)) {
    it(`is refused once the account was ${name}`, async () => {
      await change()
      expect(await codeOf(refresh())).to.equal('invalid-token')
    })
  }
})
