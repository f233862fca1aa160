import { expect } from 'chai'
import sinon from 'sinon'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { PetDraft } from '../../../../src/domain/catalogue/pet.js'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { MailJobId } from '../../../../src/domain/mail.js'
import { unavailable } from '../../../../src/domain/refusal.js'
import type { Accounts } from '../../../../src/ports/accounts.js'
import { RECORD_KINDS } from '../../../../src/ports/copyable-records.js'
import type { Store } from '../../../../src/ports/store.js'
import { createLog } from '../../../../src/adapters/pino/index.js'
import { systemDigest } from '../../../../src/adapters/system/index.js'
import { removeAccount } from '../../../../src/application/accounts/users.js'
import { createAuditTrail } from '../../../../src/application/audit/audit-trail.js'
import { addPasskeys, issueReset } from '../../../../src/contracts/arrangements.js'
import { aLoginRotation, anActor, aProject, aSession, DAY } from '../../../../src/contracts/samples.js'
import { oneTimeCode } from '../../../support/one-time-code.js'
import { SELF_SERVICE } from '../../../support/permissions.js'
import { codeOf, refusalOf } from '../../../support/refusal-of.js'
import { KEPT, storesOfTests } from '../../../support/stores.js'
import {
  composeUseCases,
  PASSWORD,
  presentedBy,
  type Composed,
  type UseCaseOptions,
} from '../../../support/use-cases.js'

const [ADA, BOB] = ['ada@leaving.example', 'bob@staying.example'] as const
const CLIENT = { address: '203.0.113.7', requestId: 'the request of ada', userAgent: 'curl/8.5.0' }
/** Personal data that must be removed: the email and its domain, the network, the request ID and the client. */
const PERSONAL = [ADA, 'leaving.example', '203.0.113', CLIENT.requestId, 'curl']

type Removal = (kennel: Composed, code: () => string) => Promise<unknown>

const REMOVALS: Readonly<Record<string, Removal>> = {
  'its owner': async ({ useCases }, code) => {
    const given = { presented: { client: CLIENT }, email: ADA, password: PASSWORD }
    const presented = { ...presentedBy(await useCases.login({ ...given, code: code() })), client: CLIENT }
    await refusalOf(useCases.deleteAccount({ password: 'wrong', code: code(), presented }))
    await useCases.deleteAccount({ password: PASSWORD, code: code(), presented })
  },
  'an operator': ({ useCases }) => useCases.deleteUser({ caller: OPERATOR, email: ADA }),
}

describe(`the remaining data of an account in the ${KEPT.name} store`, () => {
  const opened = storesOfTests()

  async function compose(options: UseCaseOptions = {}) {
    const { store } = await opened(KEPT.open)
    const kennel = await composeUseCases({
      store,
      permissions: SELF_SERVICE,
      mode: 'stateful',
      auditBatched: true,
      notices: ['new-client', 'factor', 'password', 'refresh-reuse'],
      ...options,
    })
    const ada = (await kennel.account(ADA, ['admin', 'editor'])) as AccountId
    return { kennel, store, ada, bob: (await kennel.account(BOB)) as AccountId }
  }

  for (const [who, remove] of Object.entries(REMOVALS)) {
    it(`consists only of the account ID after ${who} has deleted the account`, async () => {
      const lines: string[] = []
      const destination = { write: (line: string) => lines.push(line) }
      const { kennel, store, ada, bob } = await compose({
        log: createLog({ level: 'debug', pretty: false, destination }),
      })
      const code = await leaveTraces(kennel, { ada, bob })
      const before = await textsOf(store)
      if (before) for (const text of PERSONAL) expect(before.join(), text).to.include(text)
      await remove(kennel, code)
      await expectNothingPersonal(store, ada)
      expect(await codeOf(kennel.login(ADA))).to.equal('login-failed')
      expect(lines.join()).to.not.include('leaving.example')
      expect((await kennel.login(BOB)).identity.email).to.equal(BOB)
    })
  }
})

describe('the removal of an account', () => {
  it('clears the audit log first, so that a failed removal can be repeated', async () => {
    const kennel = await composeUseCases()
    const forget = sinon.stub(kennel.store.audit, 'forget').rejects(unavailable('away'))
    const id = await kennel.account(ADA)
    const deletion = kennel.useCases.deleteUser({ caller: OPERATOR, email: ADA })
    expect(await codeOf(deletion)).to.equal('unavailable')
    expect(await kennel.store.accounts.find(id as AccountId)).to.include({ email: ADA })
    forget.restore()
    await kennel.useCases.deleteUser({ caller: OPERATOR, email: ADA })
    expect(await kennel.store.accounts.find(id as AccountId)).to.equal(undefined)
  })

  it('clears the client data of a login that is recorded during the removal', async () => {
    const kennel = await composeUseCases()
    const id = (await kennel.account(ADA)) as AccountId
    const { accounts } = kennel.store
    const remove: Accounts['remove'] = async (...removal) => {
      const given = { email: ADA, password: 'wrong', presented: { client: CLIENT } }
      await refusalOf(kennel.useCases.login(given))
      return await accounts.remove(...removal)
    }
    const late = await composeUseCases({ store: { ...kennel.store, accounts: { ...accounts, remove } } })
    await late.useCases.deleteUser({ caller: OPERATOR, email: ADA })
    const records = await kennel.store.audit.page({ accountId: id, limit: 100 })
    expect(records.map(({ event }) => event)).to.include('login')
    await expectNothingPersonal(kennel.store, id)
  })

  it('succeeds only once, even without an audit log and a mail queue', async () => {
    const { store, account } = await composeUseCases()
    const id = (await account(ADA)) as AccountId
    const audit = createAuditTrail({
      ...{ sinks: [], operator: 'tester', clock: () => 0 },
      ...{ timeOrderedIds: () => '', digest: systemDigest },
    })
    const remove = () =>
      removeAccount({ accounts: store.accounts, audit, clock: () => 0 }, id, {
        event: 'user.delete',
        caller: OPERATOR,
      })
    expect([await remove(), await remove()]).to.deep.equal(['removed', 'unknown'])
  })

  it('is audited even if a later step fails', async () => {
    const kennel = await composeUseCases()
    const mailQueue = { ...kennel.store.mailQueue, removeTo: () => Promise.reject(unavailable('away')) }
    const faulty = await composeUseCases({ store: { ...kennel.store, mailQueue } })
    const id = await kennel.account(ADA)
    await kennel.audited()
    faulty.clock.now += 1
    const deletion = faulty.useCases.deleteUser({ caller: OPERATOR, email: ADA })
    expect(await codeOf(deletion)).to.equal('unavailable')
    expect(await kennel.store.accounts.find(id as AccountId)).to.equal(undefined)
    expect(await kennel.audited()).to.deep.equal([`user.delete cli:tester account:${id} success`])
  })
})

/** Creates data for the account in every part of the store. Returns a function that makes new one-time codes. */
async function leaveTraces(
  { useCases, store, clock }: Composed,
  { ada, bob }: Readonly<Record<'ada' | 'bob', AccountId>>,
): Promise<() => string> {
  const presented = { client: CLIENT }
  const login = async (code?: string) =>
    await useCases.login({ email: ADA, password: PASSWORD, presented, ...(code !== undefined && { code }) })
  const first = { ...presentedBy(await login()), client: CLIENT }
  await refusalOf(useCases.login({ email: ADA, password: 'wrong', presented }))
  const { secret } = await useCases.setUpSecondFactor({ password: PASSWORD, presented: first })
  const code = () => {
    clock.now += 30_000
    return oneTimeCode(secret, clock.now)
  }
  await useCases.confirmSecondFactor({ code: code(), presented: first })
  const acting = { ...presentedBy(await login(code())), client: CLIENT }
  await useCases.loginAs({ userId: bob, code: code(), presented: acting })
  await login(code())
  const account = (await store.accounts.find(ada)) ?? expect.fail('she is there')
  const actor = anActor((await store.accounts.find(bob)) ?? expect.fail('he is there'))
  await store.sessions.open({ ...aSession(account, 'acted on'), actor })
  await issueReset(store, account)
  await addPasskeys(store, account, 2)
  const job = { kind: 'reset-password', email: account.email, askedAt: 0, attempts: 0 } as const
  await store.mailQueue.enqueue({ id: 'mail' as MailJobId, ...job, address: CLIENT.address }, 100)
  await store.projects.insert(aProject('House'), ada, clock.now)
  const idempotency = { scope: `account:${ada}`, key: 'key', fingerprint: 'print' }
  await store.pets.insert({ name: 'Rex' } as PetDraft, { ...idempotency, at: 0, until: clock.now + DAY })
  await store.revocations.rotate(aLoginRotation({ sessionId: 'a login' as never }))
  return code
}

async function expectNothingPersonal(store: Store, id: AccountId): Promise<void> {
  for (const text of (await textsOf(store)) ?? [])
    for (const secret of PERSONAL) expect(text).to.not.include(secret)
  await expectNothingHeld(store, id)
  expect(await store.mailQueue.listTo(ADA as Email)).to.deep.equal([])
  for (const record of await store.audit.page({ accountId: id, limit: 100 })) {
    const isOwn = [`account:${id}`, 'anonymous'].includes(record.actor)
    if (isOwn) expect(record).to.not.have.any.keys('address', 'requestId', 'countKey')
  }
}

/** Uses only the ports, so that it works with every store. No other account may have a session. */
async function expectNothingHeld(store: Store, id: AccountId): Promise<void> {
  expect(await store.accounts.find(id)).to.equal(undefined)
  expect(await store.secondFactors.find(id)).to.equal(undefined)
  expect(await store.passkeys.listOf(id)).to.deep.equal([])
  expect(await store.proofs.listOf(id)).to.deep.equal([])
  expect(await store.sessions.purge(Number.MAX_SAFE_INTEGER, 100), 'sessions that are left').to.equal(0)
}

/** Returns every record of the store as text, or `undefined` if the store cannot be copied. */
async function textsOf({ copyableRecords: records }: Store): Promise<readonly string[] | undefined> {
  if (!records) return undefined
  const pages = await Promise.all(RECORD_KINDS.map((kind) => records.page(kind, undefined, 1_000)))
  return pages.flatMap((page) => page.map((record) => JSON.stringify(record)))
}
