import { expect } from 'chai'
import type { Email } from '../../../../src/domain/identity/email.js'
import { PASSKEYS_MAX } from '../../../../src/domain/identity/passkey.js'
import type { PasskeyView } from '../../../../src/application/identity/passkeys/own-passkeys.js'
import type { Presented } from '../../../../src/application/identity/presented.js'
import { withoutHash } from '../../../../src/contracts/arrangements.js'
import { factorHolder } from '../../../support/factor.js'
import { createPostbox, ownTemplates } from '../../../support/mail/postbox.js'
import { acting } from '../../../support/mail/proof-flows.js'
import { createAuthenticator, type Misbehaviour } from '../../../support/passkey-authenticator.js'
import { addPasskey, passkeyHolder, passkeyLogin } from '../../../support/passkeys.js'
import { codeOf, refused, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy, PASSWORD, type UseCaseOptions } from '../../../support/use-cases.js'

const ADA = 'ada@example.com'
const EVE = 'eve@example.com'
const TEN_MINUTES = 600_000

async function start() {
  const kennel = await composeUseCases({ passkeys: true, lifetimes: { accessToken: 2 * TEN_MINUTES } })
  const holder = await passkeyHolder(kennel, ADA)
  const presented = presentedBy(holder.issued)
  const remove = (id: string) => kennel.useCases.removePasskey({ id, presented })
  return { kennel, presented, remove, ...holder }
}

describe('the passkeys of an account', () => {
  it('can be renamed, and are listed with the time of their last use', async () => {
    const { kennel, presented, authenticator, passkey } = await start()
    expect(await kennel.useCases.listPasskeys(presented)).to.deep.equal([passkey])
    kennel.clock.now += 1000
    await passkeyLogin(kennel, authenticator)
    const { id } = passkey
    const renamed = await kennel.useCases.renamePasskey({ id, name: ' Key ring ', presented })
    expect(renamed).to.deep.equal({ ...passkey, name: 'Key ring', lastUsedAt: kennel.clock.now })
    expect(await kennel.useCases.listPasskeys(presented)).to.deep.equal([renamed])
    const rename = (name: string) => kennel.useCases.renamePasskey({ id, name, presented })
    expect(await refused(rename(''))).to.deep.equal(['invalid', 'name', 'Required'])
    expect(await refused(rename('a\nb'))).to.deep.equal(['invalid', 'name', 'NotValid'])
  })

  it('cannot be renamed or removed by another account or with an unknown ID', async () => {
    const { kennel, passkey, remove, presented } = await start()
    await kennel.account(EVE)
    const eve = presentedBy(await kennel.login(EVE))
    const { renamePasskey, removePasskey } = kennel.useCases
    for (const id of [passkey.id, 'AAAA', '', 'a\0b', 'A'.repeat(2000)]) {
      expect(await codeOf(renamePasskey({ id, name: 'mine', presented: eve }))).to.equal('not-found')
      expect(await codeOf(removePasskey({ id, presented: eve }))).to.equal('not-found')
    }
    expect(await kennel.useCases.listPasskeys(presented)).to.have.length(1)
    await remove(passkey.id)
    expect(await codeOf(remove(passkey.id))).to.equal('not-found')
  })

  it('are removed only after a recent login, and can then no longer be used to log in', async () => {
    const { kennel, passkey, remove, authenticator } = await start()
    kennel.clock.now += TEN_MINUTES + 1000
    expect(await codeOf(remove(passkey.id))).to.equal('fresh-login-required')
    const presented = presentedBy(await passkeyLogin(kennel, authenticator))
    await kennel.audited()
    await kennel.useCases.removePasskey({ id: passkey.id, presented })
    expect(await kennel.audited()).to.deep.equal(['passkey.remove account:1 account:1 success'])
    expect(await codeOf(passkeyLogin(kennel, authenticator))).to.equal('login-failed')
  })

  it('are removed, and the account is notified', async () => {
    const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
    const kennel = await composeUseCases({ passkeys: true, mail, notices: ['passkey'] })
    const { passkey, issued } = await passkeyHolder(kennel, ADA)
    await kennel.useCases.removePasskey({ id: passkey.id, presented: presentedBy(issued) })
    const notices = await kennel.store.mailQueue.listTo(ADA as Email)
    expect(notices.map(({ about }) => about)).to.deep.equal(['added', 'removed'])
  })

  it('are never all removed by concurrent calls if the account has no password', async () => {
    const kennel = await composeUseCases({ passkeys: true })
    const { useCases, store } = kennel
    const presented = presentedBy(await useCases.startLogin(await withoutHash(store, 'bob'), {}))
    const added = [await addPasskey(kennel, presented), await addPasskey(kennel, presented)]
    const remove = ({ id }: PasskeyView) => useCases.removePasskey({ id, presented })
    const outcomes = await Promise.allSettled(added.map(remove))
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    const [left, ...others] = await useCases.listPasskeys(presented)
    expect(others).to.deep.equal([])
    expect(await codeOf(remove(left as PasskeyView))).to.equal('conflict')
  })
})

const MINUTE = 60_000
const NOT_VALID = ['invalid', 'credential', 'NotValid']

async function startAdding(options: UseCaseOptions = {}) {
  const kennel = await composeUseCases({ passkeys: true, ...options })
  await kennel.account(ADA)
  const issued = await kennel.login(ADA)
  const add = (presented: Presented, changes?: Misbehaviour) =>
    addPasskey(kennel, presented, createAuthenticator(), changes)
  return { kennel, issued, presented: presentedBy(issued), add }
}

describe('adding a passkey', () => {
  it('names the passkey after the client, writes an audit record and notifies the account', async () => {
    const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
    const { kennel, presented, add } = await startAdding({ mail, notices: ['passkey'] })
    await kennel.audited()
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
    const passkey = await add({ ...presented, client: { userAgent } })
    const { transports, synced, backedUp } = passkey
    expect(passkey).to.include({ name: 'Firefox 130 on Linux', createdAt: kennel.clock.now })
    expect({ transports, synced, backedUp }).to.deep.equal({
      ...{ transports: ['hybrid', 'internal'], synced: false, backedUp: false },
    })
    expect(passkey).to.not.have.any.keys('publicKey', 'counter', 'accountId')
    expect(await kennel.audited()).to.deep.equal(['passkey.add account:1 account:1 success'])
    const [notice] = await kennel.store.mailQueue.listTo(ADA as Email)
    expect([notice?.kind, notice?.about]).to.deep.equal(['passkey-changed', 'added'])
  })

  it('needs a login whose last proof is at most ten minutes old', async () => {
    const { kennel, presented, add } = await startAdding({ lifetimes: { accessToken: 60 * MINUTE } })
    kennel.clock.now += 10 * MINUTE - 1000
    await add(presented)
    kennel.clock.now += 1001
    expect(await refused(add(presented))).to.deep.equal(['fresh-login-required', 'password', 'Required'])
    const confirmed = await kennel.useCases.confirmLogin({ password: PASSWORD, presented })
    await add(presentedBy(confirmed))
  })

  it('also needs a recent code if a second factor is active', async () => {
    const kennel = await composeUseCases({ passkeys: true, lifetimes: { accessToken: 60 * MINUTE } })
    const { issued, code } = await factorHolder(kennel, ADA)
    const presented = presentedBy(issued)
    await addPasskey(kennel, presented)
    kennel.clock.now += 11 * MINUTE
    const confirmed = await kennel.useCases.confirmLogin({ password: PASSWORD, code: code(), presented })
    await addPasskey(kennel, presentedBy(confirmed))
    kennel.clock.now += 11 * MINUTE
    expect(await wordsOf(addPasskey(kennel, presentedBy(confirmed)))).to.match(
      /^fresh-login-required \| password [^|]*\| code /,
    )
  })

  it('refuses an unverified user, and a passkey ID that is too long', async () => {
    const { kennel, presented, add } = await startAdding()
    await kennel.audited()
    const attacks: readonly Misbehaviour[] = [{ isVerified: false }, { id: Buffer.alloc(1024, 1) }]
    for (const changes of attacks) expect(await refused(add(presented, changes))).to.deep.equal(NOT_VALID)
    expect(await kennel.audited()).to.deep.equal(attacks.map(() => 'passkey.add account:1 account:1 failure'))
    expect(await kennel.useCases.listPasskeys(presented)).to.deep.equal([])
  })

  it('accepts each challenge once, only in the login that requested it', async () => {
    const { kennel, presented } = await startAdding()
    const { beginPasskey, addPasskey: add } = kennel.useCases
    const authenticator = createAuthenticator()
    const credential = authenticator.create(await beginPasskey(presented))
    const other = presentedBy(await kennel.login(ADA))
    expect(await refused(add({ credential, presented: other }))).to.deep.equal(NOT_VALID)
    await add({ credential, presented })
    expect(await refused(add({ credential, presented }))).to.deep.equal(NOT_VALID)
    const login = await kennel.useCases.beginPasskeyLogin({ presented: {} })
    const { challenge } = login.options
    const swapped = authenticator.create({ ...(await beginPasskey(presented)), challenge })
    expect(await refused(add({ credential: swapped, presented }))).to.deep.equal(NOT_VALID)
  })

  it('refuses a passkey that is already registered, a passkey above the maximum, and an invalid name', async () => {
    const { kennel, presented, add } = await startAdding()
    const id = Buffer.alloc(16, 1)
    await add(presented, { id })
    await kennel.account('eve@example.com')
    const eve = presentedBy(await kennel.login('eve@example.com'))
    expect(await codeOf(add(eve, { id }))).to.equal('conflict')
    for (let count = 1; count < PASSKEYS_MAX; count += 1) await add(presented)
    expect(await codeOf(add(presented))).to.equal('conflict')
    const credential = createAuthenticator().create(await kennel.useCases.beginPasskey(eve))
    const named = (name: string) => kennel.useCases.addPasskey({ credential, name, presented: eve })
    expect(await refused(named('x'.repeat(65)))).to.deep.equal(['invalid', 'name', 'NotValid'])
    expect(await named(' My phone ')).to.include({ name: 'My phone' })
  })

  it('sends the passkeys of the account to the browser, but no email', async () => {
    const { kennel, presented, add } = await startAdding()
    const { id } = await add(presented)
    const options = await kennel.useCases.beginPasskey(presented)
    expect(options['excludeCredentials']).to.deep.equal([
      { type: 'public-key', id, transports: ['hybrid', 'internal'] },
    ])
    expect(options['user']).to.include({ id: Buffer.from('1').toString('base64url'), name: ADA })
  })

  it('is refused after a logout of all sessions, during an impersonation, and without a login', async () => {
    const { kennel, presented, add } = await startAdding()
    const actor = await acting(kennel)
    expect(await codeOf(add(actor))).to.equal('forbidden')
    expect(await codeOf(kennel.useCases.listPasskeys(actor))).to.equal('forbidden')
    expect(await codeOf(add({}))).to.equal('unauthenticated')
    const credential = createAuthenticator().create(await kennel.useCases.beginPasskey(presented))
    await kennel.store.sessions.endAllOf(1 as never)
    expect(await codeOf(kennel.useCases.addPasskey({ credential, presented }))).to.be.oneOf([
      'invalid-token',
      'invalid',
    ])
  })
})
