import { expect } from 'chai'
import sinon from 'sinon'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { refusePages } from '../../../src/application/identity/get-identity.js'
import { permitting } from '../../support/permissions.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy, type Composed } from '../../support/use-cases.js'
import { watching } from '../../support/watched-store.js'

describe('getIdentity', () => {
  it("returns the login's identity with a single store read", async () => {
    const kennel = await composeUseCases()
    const id = await kennel.account('ada@example.com')
    const issued = await kennel.login('ada@example.com')
    const { sessions, accounts, revocations } = kennel.store
    const spies = [sessions, accounts, revocations].flatMap((port) =>
      Object.keys(port).map((name) => sinon.spy(port, name as never)),
    ) as sinon.SinonSpy[]
    expect(await kennel.useCases.getIdentity(presentedBy(issued))).to.deep.equal(issued.identity)
    expect(spies.reduce((calls, { callCount }) => calls + callCount, 0)).to.equal(1)
    expect(issued.identity.accountId).to.equal(id)
  })
})

const WITHOUT = permitting({ everyone: { components: { auth: ['login'], user: ['find'] } } })
const GET = { method: 'GET' }

describe('identifyPage', () => {
  const calls: string[] = []
  let kennel: Composed
  let sessionKey: string | undefined

  beforeEach(async () => {
    const watched = watching(async (name, run) => {
      calls.push(name)
      return await run()
    })
    kennel = await composeUseCases({ mode: 'stateful', store: watched(createMemoryStore()) })
    await kennel.account('ada@example.com', ['editor'])
    ;({ sessionKey } = await kennel.login('ada@example.com'))
    await kennel.audited()
    calls.length = 0
  })

  const identify = (page: object) => kennel.useCases.identifyPage({ ...GET, sessionKey, ...page })
  const codeOf = async (page: object) => (await refusalOf(identify(page))).code

  it("returns the cookie's account with one store read and no write", async () => {
    const { email, roles, sessionId } = await identify({})
    expect([email, roles.map(({ key }) => key)]).to.deep.equal(['ada@example.com', ['editor']])
    expect(sessionId).to.be.a('string')
    expect(await identify({ method: 'HEAD' })).to.include({ email })
    expect(calls).to.deep.equal(['sessions.find', 'sessions.find'])
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('rejects a missing cookie and a forged cookie', async () => {
    expect(await codeOf({ sessionKey: undefined })).to.equal('unauthenticated')
    for (const key of ['no key', ''])
      expect(await wordsOf(identify({ sessionKey: key }))).to.match(
        /^invalid-token .*\(the cookie does not belong to an active session\)$/,
      )
  })

  it('is forbidden for methods other than GET and HEAD, before the store is read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'get', 'GET ', '', 'QUERY'])
      expect(await wordsOf(identify({ method, sessionKey: undefined })), method).to.equal(
        'forbidden | Forbidden: The session cookie alone is accepted for GET and HEAD only.',
      )
    expect(calls).to.deep.equal([])
  })

  it('requires the permission, but rejects a wrong cookie first', async () => {
    kennel = await composeUseCases({ mode: 'stateful', permissions: WITHOUT })
    await kennel.account('ada@example.com')
    ;({ sessionKey } = await kennel.login('ada@example.com'))
    expect(await codeOf({})).to.equal('forbidden')
    expect(await codeOf({ sessionKey: 'none' })).to.equal('invalid-token')
  })

  it('is forbidden in a mode without sessions', async () => {
    expect(await wordsOf(refusePages(GET))).to.equal(
      'forbidden | Forbidden: The session cookie alone is not accepted here. | (pages are off)',
    )
    for (const mode of ['stateless', 'stateless-revocable'] as const) {
      kennel = await composeUseCases({ mode })
      expect(await codeOf({ sessionKey: 'any' }), mode).to.equal('forbidden')
    }
  })
})
