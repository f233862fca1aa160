import { expect } from 'chai'
import type { SessionSummary } from '../../../src/application/access/sessions.js'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import { codeOf, refused } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../support/use-cases.js'
import { createGate, recordingStore } from '../../support/watched-store.js'

const email = 'ada@example.com'
const SESSION = 10_000_000
const IDLE = 4_000_000
type Issued = Awaited<ReturnType<Composed['login']>>

describe('the sessions of an account', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({ lifetimes: { session: SESSION, refreshToken: IDLE } })
    for (const one of [email, 'bob@example.com']) await kennel.account(one)
  })

  const list = (limit = 10, after?: SessionSummary) =>
    kennel.useCases.listSessions({ caller, email: 'ADA@example.com', limit, after })
  /** Returns the error codes of a request and of a refresh with this login. */
  const codesOf = async ({ useCases }: Composed, issued: Issued) => {
    const presented = presentedBy(issued)
    const { refreshToken } = issued
    return [
      await codeOf(useCases.getIdentity(presented)),
      await codeOf(useCases.refresh({ refreshToken, presented })),
    ]
  }
  const ENDED = ['invalid-token', 'invalid-token']

  it('are listed with ID and times, but without secrets', async () => {
    const issued = await kennel.login(email)
    const { identity, refreshToken } = issued
    kennel.clock.now += 1000
    await kennel.useCases.refresh({ refreshToken, presented: presentedBy(issued) })
    await kennel.login('bob@example.com')
    const refreshed = { refreshedAt: START + 1000, idleEndsAt: START + 1000 + IDLE }
    expect(await list()).to.deep.equal([
      { id: identity.sessionId, createdAt: START, ...refreshed, endsAt: START + SESSION },
    ])
  })

  it('are ended individually by ID, except sessions of another account', async () => {
    const ended = await kennel.login(email)
    kennel.clock.now += 1000
    await kennel.login(email)
    const stranger = await kennel.login('bob@example.com')
    const [first, second] = await list()
    await kennel.audited()
    const revoke = (id = '') => kennel.useCases.revokeSession({ caller, email: 'ADA@example.com', id })
    await revoke(first?.id)
    expect(await codesOf(kennel, ended)).to.deep.equal(ENDED)
    for (const id of [first?.id, stranger.identity.sessionId, 'none', ''])
      expect(await refused(revoke(id))).to.deep.equal(['not-found', 'id', 'NotFound'])
    expect(await list()).to.deep.equal([second])
    expect(await kennel.useCases.getIdentity(presentedBy(stranger))).to.have.property('accountId', 2)
    expect(await kennel.audited()).to.deep.equal(['session.revoke cli:tester account:1 sessions:1 success'])
  })

  it('are not searched for an ID with a control character, which PostgreSQL rejects', async () => {
    const { store, calls } = recordingStore()
    const { useCases, account, login } = await composeUseCases({ store, mode: 'stateful' })
    await account(email)
    const [id, presented] = ['\u0000', presentedBy(await login(email))]
    for (const end of [
      useCases.revokeSession({ caller, email, id }),
      useCases.endOwnSessions({ presented, id }),
    ])
      expect(await refused(end)).to.deep.equal(['not-found', 'id', 'NotFound'])
    expect(calls).to.not.include('sessions.endOne')
  })

  it('are ended even if a login has verified the password but has not yet opened its session', async () => {
    const gate = createGate()
    const slow = await composeUseCases({
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...args) => {
          const right = await hasher.verify(...args)
          await gate.pass()
          return right
        },
      }),
    })
    await slow.account(email)
    const begun = slow.login(email)
    await gate.reached
    expect(await slow.useCases.revokeSessions({ caller, email })).to.equal(0)
    gate.release()
    expect(await codesOf(slow, await begun)).to.deep.equal(ENDED)
  })
})
