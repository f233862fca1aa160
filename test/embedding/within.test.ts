import { expect } from 'chai'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { createScryptHasher } from '../../src/adapters/scrypt/index.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { openKennel, type Kennel } from '../../src/index.js'
import type { Store } from '../../src/ports/store.js'
import { codeOf, refusalOf, refusalOfCall } from '../support/refusal-of.js'
import { HOSTILE } from './hostile-values.js'
import { DELIVERS, EMAIL, goodOptions } from './opening.js'
import { PASSWORD } from './valid-inputs.js'

const caller = OPERATOR
const ADA = { caller, email: EMAIL, password: PASSWORD }
const AT_LATEST = Number.MAX_SAFE_INTEGER

const rowsOf = async ({ accounts, audit, mailQueue }: Store) => ({
  emails: (await accounts.page(undefined, 10)).map(({ email }) => email),
  events: (await audit.page({ limit: 10 })).map(({ event, actor }) => `${event} ${actor}`),
  mails: (await mailQueue.waiting(undefined, AT_LATEST, 10)).map(({ kind }) => kind),
})

describe('the use cases of a Kennel within a transaction', () => {
  const own = createMemoryStore()
  let given = createMemoryStore()
  const hasher = createScryptHasher({ cost: { logN: 10, r: 8, p: 1 }, concurrency: 1 })
  let kennel: Kennel

  before(async () => {
    kennel = await openKennel(
      goodOptions({ store: own, notices: ['password'], parts: { mailer: DELIVERS, hasher } }),
    )
  })
  beforeEach(() => {
    given = createMemoryStore()
  })
  after(async () => {
    await kennel.close()
    expect(await rowsOf(own)).to.deep.equal({ emails: [], events: [], mails: [] })
  })

  it('write their changes, audit records and emails only to the given ports', async () => {
    const { createUser, setPassword } = kennel.within(given)
    const id = await createUser(ADA)
    await setPassword({ caller, email: EMAIL, password: 'the stable door' })
    expect(id).to.equal(1)
    const events = ['user.create', 'password.set'].map((event) => `${event} cli:embedder`)
    const { emails, mails, events: recorded } = await rowsOf(given)
    expect({ emails, mails }).to.deep.equal({ emails: [EMAIL], mails: ['password-changed'] })
    expect(recorded.toSorted()).to.deep.equal(events.toSorted())
  })

  it('apply the rules and the custom parts of their Kennel', async () => {
    const { createUser } = kennel.within(given)
    const { messages } = await refusalOf(createUser({ ...ADA, email: 'no email', password: 'short' }))
    expect(messages.map(({ field }) => field)).to.deep.equal(['email'])
    await createUser({ ...ADA, email: `  ${EMAIL.toUpperCase()}` })
    const found = await given.accounts.findByEmail(EMAIL as never)
    expect(hasher.recognise(found?.passwordHash ?? '')).to.have.property('kind', 'hash')
  })

  it('are created once for each set of ports, and include only operator use cases', () => {
    expect(kennel.within(given)).to.equal(kennel.within(given))
    expect(kennel.within(given)).not.to.equal(kennel.within(own))
    expect(kennel.within(given)).to.not.have.any.keys('login', 'refresh', 'confirmSignUp', 'purgeExpired')
  })

  it('reject if writing an audit record or a notice fails, because the failure has aborted the transaction', async () => {
    const lost = new Error('lost')
    const fail = () => Promise.reject(lost)
    const audit = { ...given.audit, append: fail }
    const unaudited = kennel.within({ ...given, audit })
    const outcome = await unaudited.createUser(ADA).catch((error: unknown) => error)
    expect(outcome).to.equal(lost)
    const mailQueue = { ...given.mailQueue, enqueue: fail }
    const { setPassword } = kennel.within({ ...given, mailQueue })
    expect(await setPassword(ADA).catch((error: unknown) => error)).to.equal(lost)
    await kennel.within(given).setPassword(ADA)
  })

  it('need every port except copyableRecords', async () => {
    const { projects: _, copyableRecords: __, ...others } = given
    const { code, messages } = await refusalOfCall(() => kennel.within({ ...others, accounts: {} } as never))
    expect(code).to.equal('malformed')
    expect(messages[0]?.message).to.equal('store has no projects')
    expect(messages[1]?.message).to.equal('store.accounts has no insert (port Accounts)')
    const { copyableRecords: ___, ...complete } = given
    expect(await kennel.within(complete).listUsers({ caller, limit: 10 })).to.deep.equal([])
  })

  it('reject hostile stores and ports', async () => {
    for (const [name, make] of Object.entries(HOSTILE)) {
      for (const store of [make(), { ...given, accounts: make() }])
        expect((await refusalOfCall(() => kennel.within(store as never))).code, name).to.equal('malformed')
    }
  })

  it('are refused after the Kennel was closed', async () => {
    const { listUsers } = kennel.within(given)
    await kennel.close()
    expect(await codeOf(listUsers({ caller, limit: 10 }))).to.equal('unavailable')
    expect(() => kennel.within(given))
      .to.throw()
      .with.property('code', 'unavailable')
  })
})
