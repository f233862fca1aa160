import { expect } from 'chai'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import { collectingLog } from '../../../support/log-collector.js'
import { permitting } from '../../../support/permissions.js'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../../support/mail/composed-proofs.js'
import * as flows from '../../../support/mail/proof-flows.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'

const { ADA, CLIENT, confirmed, eachPrepared, isLoggedIn, NEW, NOT_VALID, prepared } = flows
const BOTH = ['change-email', 'undo-email'] as const
const OTHER = 'augusta@example.com'
const TAKEN = 'conflict email An account with this email already exists.'

const emailOf = async ({ useCases }: ComposedProofs) =>
  (await useCases.getUser({ caller: OPERATOR, email: '1' })).email

/** Changes the email, and resolves with the token that undoes the change. */
async function changed(kennel: ComposedProofs, from: string, email: string): Promise<string> {
  await flows.requestChange(kennel, email, from)
  expect(await confirmed(kennel, 'change-email', await kennel.mailed())).to.equal('done')
  return (await kennel.mailed()).token
}

describe('an email change', () => {
  it('proves the new address, ends all logins, and can be undone from the previous address', async () => {
    const { confirm, byCode, ...kennel } = await prepared('change-email')
    const logins = [await kennel.login(ADA), await kennel.login(ADA)]
    await kennel.audited()
    expect(await confirm({ ...byCode, presented: { client: CLIENT } })).to.equal('done')
    for (const login of logins) expect(await isLoggedIn(kennel, login)).to.equal(false)
    const { token, to } = await kennel.mailed()
    expect(to).to.equal(ADA)
    expect(await outcomeOf(kennel.login(ADA))).to.include('login-failed')
    const login = await kennel.login(NEW)
    await kennel.useCases.undoEmailChange({ token, presented: { client: CLIENT } })
    expect(await isLoggedIn(kennel, login)).to.equal(false)
    expect((await kennel.login(ADA)).identity.email).to.equal(ADA)
    const events = (await kennel.audited()).filter((record) => record.startsWith('email'))
    expect(events).to.deep.equal(
      ['change', 'undo'].map((event) => `email.${event} account:1 account:1 success from 192.0.2.1`),
    )
  })

  it('can be neither made nor undone once another account has taken the email, and the attempt uses up the proof', async () => {
    for await (const { purpose, confirm, byToken, ...kennel } of eachPrepared(BOTH)) {
      const [own, taken] = purpose === 'change-email' ? [ADA, NEW] : [NEW, ADA]
      await kennel.account(taken)
      expect(await confirm(byToken)).to.equal(TAKEN)
      expect(await confirm(byToken)).to.equal(NOT_VALID)
      expect(await emailOf(kennel)).to.equal(own)
    }
  })

  it('can be undone by the first address even after a second change; the undo link of the second address then stops working', async () => {
    // The clocks of two instances may differ, so the later change may have the earlier timestamp.
    for (const [thiefIsFirst, later] of [
      [false, 1],
      [true, 1],
      [false, -50 * 60_000],
    ] as const) {
      const kennel = await composeProofs()
      await kennel.account(ADA)
      const owner = await changed(kennel, ADA, NEW)
      kennel.clock.now += later
      const thief = await changed(kennel, NEW, OTHER)
      const undo = (token: string) => confirmed(kennel, 'undo-email', { token })
      if (thiefIsFirst) expect(await undo(thief)).to.equal('done')
      expect(await undo(owner)).to.equal('done')
      for (const used of [thief, owner]) expect(await undo(used)).to.equal(NOT_VALID)
      expect(await emailOf(kennel)).to.equal(ADA)
    }
  })

  it('succeeds and is logged if the email to the previous address cannot be queued', async () => {
    const { log, lines } = collectingLog()
    const store = flows.crowded((kind) => kind === 'undo-email')
    const { confirm, byToken } = await prepared('change-email', { store, log })
    expect(await confirm(byToken)).to.equal('done')
    expect(JSON.stringify(lines)).to.include(
      'an email address was changed, but the email that can undo the change was not queued',
    )
  })

  it('can be neither made nor undone if the account has lost the permission', async () => {
    for await (const { purpose, confirm, byToken, ...kennel } of eachPrepared(BOTH)) {
      const { useCases } = await composeUseCases({ store: kennel.store })
      expect(await confirmed({ ...kennel, useCases }, purpose, byToken)).to.include('forbidden')
      expect(await confirm(byToken)).to.equal('done')
    }
  })

  it('needs no recent proof of identity, because an emailed link works without a login', async () => {
    const auth = ['confirm', { 'change-email': { fresh: 60_000 } }]
    for await (const { purpose, byToken, ...kennel } of eachPrepared(BOTH)) {
      const permissions = permitting({ user: { components: { auth } } })
      const { useCases } = await composeUseCases({ store: kennel.store, permissions })
      expect(await confirmed({ ...kennel, useCases }, purpose, byToken)).to.equal('done')
    }
  })
})

describe('a request to change the email', () => {
  it('is refused with the documented code, and sends nothing', async () => {
    const kennel = await composeProofs({ loginLimit: { count: 2, window: 60_000 } })
    await kennel.account(ADA)
    const presented = { ...presentedBy(await kennel.login(ADA)), client: CLIENT }
    const form = { email: NEW, password: PASSWORD, presented }
    for (const [wrong, outcome] of [
      [{ presented: await flows.acting(kennel) }, flows.IMPERSONATING],
      [{ email: '' }, 'invalid email required'],
      [{ password: undefined }, 'invalid password required'],
      [{ email: 'lovelace' }, 'invalid email email-not-valid'],
      [{ email: 'ADA@example.com.' }, 'invalid email is already the email of the account'],
      [{ password: 'wrong' }, 'invalid password not-valid'],
      [{ password: 'wrong' }, 'invalid password not-valid'],
      [{}, 'too-many-attempts'],
    ] as const)
      expect(await outcomeOf(kennel.useCases.requestEmailChange({ ...form, ...wrong }))).to.include(outcome)
    expect((await kennel.mails().sendMails()).sent).to.equal(0)
  })

  it('is refused for every spelling of the current email, and a wrong password is audited', async () => {
    const kennel = await composeProofs()
    await kennel.account('Ada@Example.com')
    const presented = { ...presentedBy(await kennel.login(ADA)), client: CLIENT }
    const request = async (email: string, password = PASSWORD) =>
      await outcomeOf(kennel.useCases.requestEmailChange({ email, password, presented }))
    for (const own of ['Ada@Example.com', ADA, 'ADA@example.com'])
      expect(await request(own)).to.equal('invalid email is already the email of the account')
    await kennel.audited()
    expect(await request(NEW, 'wrong')).to.equal('invalid password not-valid')
    expect(await kennel.audited()).to.deep.equal(['email.change account:1 account:1 failure from 192.0.2.1'])
  })
})
