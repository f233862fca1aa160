import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { Refusal } from '../../../src/domain/refusal.js'
import type { Sessions } from '../../../src/ports/sessions.js'
import type { Presented } from '../../../src/application/identity/presented.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../support/use-cases.js'

const FROM = { address: '192.0.2.1' }

describe('authenticate', () => {
  let kennel: Composed
  let ada: Presented
  let bob: Presented

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const email of ['ada@example.com', 'bob@example.com']) await kennel.account(email, ['editor'])
    ada = presentedBy(await kennel.login('ada@example.com'))
    bob = presentedBy(await kennel.login('bob@example.com'))
    await kennel.audited()
  })

  const authenticate = (presented: Presented) => kennel.useCases.getIdentity(presented)
  const codeOf = async (presented: Presented) => (await refusalOf(authenticate(presented))).code

  it('logs why it rejects credentials', async () => {
    expect(await wordsOf(authenticate({}))).to.equal(
      'unauthenticated | InvalidToken: Invalid authentication token. | (nothing is presented)',
    )
    const missing = 'the cookie or the bearer token is missing'
    for (const [presented, detail] of [
      [{ accessToken: ada.accessToken }, missing],
      [{ sessionKey: ada.sessionKey }, missing],
      [{ ...ada, sessionKey: 'no key' }, 'the cookie does not belong to an active session'],
      [{ ...ada, accessToken: 'no token' }, '.+'],
    ] as const)
      expect(await wordsOf(authenticate(presented))).to.match(new RegExp(`^invalid-token .*\\(${detail}\\)$`))
    kennel.clock.now = START + 900_000 + 60_000
    expect(await wordsOf(authenticate(ada))).to.match(/\(the access token has expired\)$/)
  })

  it('rejects credentials that belong to two logins, writes an audit record, and ends neither login', async () => {
    const mixed = authenticate({ ...ada, sessionKey: bob.sessionKey, client: FROM })
    expect(await wordsOf(mixed)).to.match(/\(the cookie and the bearer token belong to different sessions\)$/)
    expect(await kennel.audited()).to.deep.equal([
      'binding.mismatch anonymous account:2 failure from 192.0.2.1',
    ])
    expect([(await authenticate(ada)).accountId, (await authenticate(bob)).accountId]).to.deep.equal([1, 2])
  })

  it('rejects a cookie and a token from different logins, even of the same account', async () => {
    const again = presentedBy(await kennel.login('ada@example.com'))
    expect(await codeOf({ ...ada, sessionKey: again.sessionKey })).to.equal('invalid-token')
    const { sessions, accounts, ...others } = kennel.store
    const bobs = await accounts.findByEmail('bob@example.com' as Email)
    const mixed: Sessions = {
      ...sessions,
      find: async (...args) => {
        const found = await sessions.find(...args)
        return found && bobs && { ...found, account: bobs }
      },
    }
    const other = await composeUseCases({ store: { ...others, accounts, sessions: mixed } })
    const presented = { ...presentedBy(await other.login('ada@example.com')) }
    expect((await refusalOf(other.useCases.getIdentity(presented))).code).to.equal('invalid-token')
  })
})

const email = 'ada@example.com'

for (const mode of ['stateless', 'stateless-revocable'] as const) {
  describe(`authenticate in ${mode} mode`, () => {
    let kennel: Composed
    let accessToken: string

    beforeEach(async () => {
      kennel = await composeUseCases({ mode })
      await kennel.account(email, ['editor'])
      ;({ accessToken } = await kennel.login(email))
    })

    const identity = (token: string | undefined = accessToken) =>
      kennel.useCases.getIdentity({ accessToken: token })

    it('returns the account with the roles in the token, and ignores any cookie', async () => {
      await kennel.useCases.assignRole({ caller: OPERATOR, email, role: 'editor', remove: true })
      const { roles } = await kennel.useCases.getIdentity({ accessToken, sessionKey: 'any' })
      expect(roles.map(({ key }) => key)).to.deep.equal(['editor'])
    })

    it(`${mode === 'stateless' ? 'does not know' : 'knows'} that the login has ended`, async () => {
      await kennel.useCases.logout({ accessToken })
      const outcome = await identity().then(
        () => 'fine',
        (error: unknown) => (error as Refusal).detail,
      )
      expect(outcome).to.equal(mode === 'stateless' ? 'fine' : 'the login was revoked')
    })
  })
}
