import { expect } from 'chai'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Store } from '../../../src/ports/store.js'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { aNewApiKey, apiKeyDigestOf } from '../../../src/contracts/samples.js'
import { factorHolder } from '../../support/factor.js'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../support/mail/composed-proofs.js'
import { ADA, crowded, issued, confirmed, NEW } from '../../support/mail/proof-flows.js'
import { codeOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const approve = ({ useCases }: ComposedProofs, email: string) =>
  outcomeOf(useCases.approveUser({ caller, email }))

const NOT_WAITING = 'conflict email The account is not waiting for approval.'

/** Opens a Kennel with the account `NEW`, which is waiting for approval. */
async function waiting(store: Store = createMemoryStore()): Promise<ComposedProofs> {
  const kennel = await composeProofs({ signUp: { mode: 'approval' }, store })
  const { byToken } = await issued(kennel, 'sign-up', 'Lovelace@example.com')
  await confirmed(kennel, 'sign-up', byToken)
  await kennel.audited()
  return kennel
}

describe('the approval of an account', () => {
  it('enables the account, is audited, and sends an email to the address that was used to sign up', async () => {
    const kennel = await waiting()
    expect(await approve(kennel, NEW)).to.equal('done')
    expect(await kennel.audited()).to.deep.equal(['user.approve cli:tester account:2 success'])
    await kennel.mails().sendMails()
    const mail = { to: 'Lovelace@example.com', subject: 'Your account is approved' }
    expect(kennel.postbox.arrived.at(-1)).to.include(mail)
    expect((await kennel.login(NEW)).identity.accountId).to.equal(2)
  })

  it('is refused with the documented codes, and enables the account even if too many emails are queued', async () => {
    const kennel = await waiting(crowded((kind) => kind === 'approved'))
    for (const [email, outcome] of [
      ['lovelace', 'invalid email email-not-valid'],
      ['grace@example.com', 'not-found email There is no account with this email.'],
      ['7', 'not-found id There is no account with this id.'],
      [NEW, 'overloaded  Too many emails are waiting, try again later.'],
      ['2', NOT_WAITING],
    ] as const)
      expect(await approve(kennel, email)).to.equal(outcome)
    expect((await kennel.login(NEW)).identity.accountId).to.equal(2)
  })

  it('is refused for an account that an operator disabled, even immediately after its creation', async () => {
    const kennel = await composeProofs()
    await kennel.account(ADA)
    await kennel.useCases.disableUser({ caller, email: ADA })
    expect(await approve(kennel, ADA)).to.equal(NOT_WAITING)
    expect(await outcomeOf(kennel.login(ADA))).to.equal('login-failed email Login Failed')
  })

  it('is refused if another operator approves and disables the account during the call', async () => {
    const store = createMemoryStore()
    const kennel = await waiting({
      ...store,
      accounts: {
        ...store.accounts,
        async setDisabled(id, ...change) {
          await store.accounts.setDisabled(id, undefined)
          await store.accounts.setDisabled(id, kennel.clock.now + 1)
          return await store.accounts.setDisabled(id, ...change)
        },
      },
    })
    expect(await approve(kennel, NEW)).to.equal(NOT_WAITING)
    expect(await outcomeOf(kennel.login(NEW))).to.equal('login-failed email Login Failed')
  })

  it("revokes the account's API keys", async () => {
    const kennel = await waiting()
    const { apiKeys } = kennel.store
    const createdBy = 2 as AccountId
    await apiKeys.insert({ ...aNewApiKey('left'), createdBy })
    expect(await approve(kennel, NEW)).to.equal('done')
    expect(await apiKeys.find(apiKeyDigestOf('left'), kennel.clock.now)).to.equal(undefined)
  })
})

const LIMIT = { count: 3, window: 60_000 }
const OWNER = 'Ada@bücher.example'
const BOB = 'bob@example.com'
const HERE = { address: '192.0.2.1' }
const CLIENTS = [HERE, { address: '2001:db8::1' }, { address: '198.51.100.7:4711' }, undefined]
const CHANGED = 'a password of tomorrow'

/** Operator calls that unlock an account, each with the password that is valid afterwards. */
const UNLOCKING: Readonly<
  Record<string, readonly [string, (kennel: Composed, email: string) => Promise<unknown>]>
> = {
  unlockUser: [PASSWORD, ({ useCases }, email) => useCases.unlockUser({ caller, email })],
  setPassword: [CHANGED, ({ useCases }, email) => useCases.setPassword({ caller, email, password: CHANGED })],
  setAllPasswords: [CHANGED, ({ useCases }) => useCases.setAllPasswords({ caller, password: () => CHANGED })],
}

describe('an account that is locked after wrong passwords', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({ loginLimit: LIMIT, mode: 'stateful' })
    for (const email of [OWNER, BOB]) await kennel.account(email)
  })

  type Client = (typeof CLIENTS)[number]
  const login = (email: string, password: string, client: Client) =>
    kennel.useCases.login({ email, password, presented: { client } })
  const outcome = (email: string, password: string, client: Client) =>
    login(email, password, client).then(() => 'logged in', codeOfError)

  /** Sends wrong passwords until the account is locked out from this client. */
  async function lock(email: string, client: Client): Promise<void> {
    for (let tries = 0; tries < 10 * LIMIT.count; tries += 1) await outcome(email, 'wrong', client)
    expect(await outcome(email, PASSWORD, client)).to.equal('too-many-attempts')
  }

  for (const [name, [password, unlock]] of Object.entries(UNLOCKING)) {
    it(`can log in from any network after ${name}, and has its full limit again`, async () => {
      for (const client of CLIENTS) await lock('ADA@xn--bcher-kva.example', client)
      await unlock(kennel, OWNER)
      for (const client of CLIENTS.slice(1))
        expect(await outcome(OWNER, password, client)).to.equal('logged in')
      for (let tries = 0; tries < LIMIT.count; tries += 1)
        expect(await outcome(OWNER, 'wrong', CLIENTS[1])).to.equal('login-failed')
      expect(await outcome(OWNER, password, CLIENTS[1])).to.equal('too-many-attempts')
    })
  }

  it('remains locked if another account is unlocked, and in a network with too many failures', async () => {
    await lock(BOB, undefined)
    for (const email of ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', BOB])
      await lock(email, HERE)
    await kennel.useCases.unlockUser({ caller, email: OWNER })
    expect(await outcome(BOB, PASSWORD, undefined)).to.equal('too-many-attempts')
    await kennel.useCases.unlockUser({ caller, email: BOB })
    expect(await outcome(BOB, PASSWORD, undefined)).to.equal('logged in')
    // Wrong passwords for five accounts have used up the limit of the network.
    expect(await outcome(BOB, PASSWORD, HERE)).to.equal('too-many-attempts')
  })

  it('accepts second-factor codes again', async () => {
    const holder = await factorHolder(kennel, 'cleo@example.com')
    const remove = (code: string) =>
      kennel.useCases.removeSecondFactor({ password: PASSWORD, code, presented: presentedBy(holder.issued) })
    for (let tries = 0; tries < 20; tries += 1) await remove('000000').catch(() => undefined)
    expect(await codeOf(remove(holder.code(1)))).to.equal('too-many-attempts')
    await kennel.useCases.unlockUser({ caller, email: String(holder.id) })
    expect(await remove(holder.code(1))).to.include({ active: false })
  })

  it('retains its sessions and remains disabled', async () => {
    const presented = presentedBy(await login(OWNER, PASSWORD, HERE))
    await kennel.useCases.unlockUser({ caller, email: OWNER })
    expect(await kennel.useCases.getIdentity(presented)).to.have.property('accountId')
    await kennel.useCases.disableUser({ caller, email: OWNER })
    await kennel.useCases.unlockUser({ caller, email: OWNER })
    expect(await outcome(OWNER, PASSWORD, HERE)).to.equal('login-failed')
  })
})

function codeOfError(error: unknown): string {
  return String((error as { code?: unknown }).code)
}
