import { expect } from 'chai'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import type { AccountAdmission } from '../../../../src/ports/callbacks.js'
import { composeProofs, outcomeOf, type ComposedProofs } from '../../../support/mail/composed-proofs.js'
import * as flows from '../../../support/mail/proof-flows.js'
import { PASSWORD } from '../../../support/use-cases.js'

const { CLIENT, eachPrepared, issued, NEW, NOT_VALID, prepared } = flows
const presented = { client: CLIENT }

describe('a sign-up', () => {
  it('creates no account before the email is proven, then creates the account and logs in', async () => {
    const kennel = await composeProofs()
    await kennel.useCases.requestSignUp({ email: 'Lovelace@example.com', presented })
    const { token } = await kennel.mailed()
    expect(await kennel.store.accounts.page(undefined, 9)).to.deep.equal([])
    expect(await kennel.audited()).to.deep.equal([])
    const login = await kennel.useCases.confirmSignUp({ token, password: PASSWORD, presented })
    expect(login && (await flows.isLoggedIn(kennel, login))).to.equal(true)
    expect(await kennel.audited()).to.deep.equal(['sign-up anonymous account:1 success from 192.0.2.1'])
    const [account] = await kennel.store.accounts.page(undefined, 9)
    expect(account).to.include({ email: NEW, enteredEmail: 'Lovelace@example.com' })
    expect((await kennel.login(NEW)).identity.accountId).to.equal(1)
  })

  it('creates only one account for two emails to one address, in any spelling, even concurrently', async () => {
    for (const concurrently of [false, true]) {
      const { clock, confirm, byToken, ...kennel } = await prepared('sign-up')
      clock.now += 60_000
      const second = await issued({ ...kennel, clock }, 'sign-up', 'LOVELACE@example.com.')
      const later = confirm(second.byToken)
      if (!concurrently) await later
      const taken = 'conflict email An account with this email already exists.'
      expect(await Promise.all([later, confirm(byToken)])).to.have.members(['done', taken])
      for (const used of [byToken, second.byToken]) expect(await confirm(used)).to.equal(NOT_VALID)
    }
  })

  it('keeps the proof if the password is rejected, and counts no attempt if the password would be rejected for any email', async () => {
    const { confirm, byToken, byCode } = await prepared('sign-up')
    for (const form of [byCode, byToken])
      for (const [password, outcome] of [
        [undefined, 'invalid password required'],
        ['', 'invalid password required'],
        ...Array.from({ length: 5 }, () => ['short', 'invalid password must have 8 to 1024 characters']),
        ['password123', 'invalid password '],
        ['Lovelace-2026', 'invalid password '],
        [7, 'malformed password '],
      ])
        expect(await confirm({ ...form, password })).to.include(outcome)
    expect(await confirm(byCode)).to.equal('done')
  })

  it('creates an account that cannot log in yet if an operator has to approve it', async () => {
    const kennel = await prepared('sign-up', { signUp: { mode: 'approval' } })
    const form = { ...kennel.byToken, password: PASSWORD, presented }
    expect(await kennel.useCases.confirmSignUp(form)).to.equal(undefined)
    expect(await outcomeOf(kennel.login(NEW))).to.equal('login-failed email Login Failed')
    await kennel.useCases.requestLoginMail({ email: NEW, presented })
    expect((await kennel.mails().sendMails()).sent).to.equal(0)
  })

  it('needs an invitation if the settings have changed since its request; then its proof stays valid', async () => {
    for (const [signUp, outcome] of [
      [{ mode: 'invited' }, 'forbidden  People can sign up only by invitation.'],
      [{ domains: ['kennel.example'] }, 'invalid email must have one of the permitted domains'],
    ] as const) {
      const store = createMemoryStore()
      const { byToken, confirm } = await prepared('sign-up', { store, signUp: { mode: 'approval' } })
      const changed = await composeProofs({ store, signUp })
      expect(await flows.confirmed(changed, 'sign-up', byToken)).to.equal(outcome)
      expect(await confirm(byToken)).to.equal('done')
    }
  })

  it('works in stateless mode, like every other proof', async () => {
    for (const mode of ['stateless', 'stateless-revocable'] as const)
      for await (const { purpose, confirm, byToken } of eachPrepared(undefined, { mode }))
        expect(await confirm(byToken), `${mode} ${purpose}`).to.equal('done')
  })
})

const DOMAINS = { signUp: { domains: ['kennel.example', 'xn--bcher-kva.example'] } }
const OTHER_DOMAIN = 'invalid email must have one of the permitted domains'
/** Requests, each with its options, its form and the expected outcome. */
const REQUESTS: readonly (readonly [Parameters<typeof composeProofs>[0], object, string])[] = [
  [{ signUp: { mode: 'invited' } }, { email: '' }, 'forbidden  People can sign up only by invitation.'],
  [{ signUp: { mode: 'approval' } }, {}, 'done'],
  [{}, { email: undefined }, 'invalid email required'],
  [{}, { email: 'lovelace' }, 'invalid email email-not-valid'],
  [DOMAINS, { email: 'ada@Kennel.EXAMPLE.' }, 'done'],
  [DOMAINS, { email: 'ada@bücher.example' }, 'done'],
  [DOMAINS, { email: 'ada@kennel.example.evil.example' }, OTHER_DOMAIN],
  [DOMAINS, { email: 'ada@sub.kennel.example' }, OTHER_DOMAIN],
  [{ admitAccount: async () => 'allow' }, {}, 'done'],
  [{ admitAccount: async () => 'deny' }, {}, 'forbidden  This email cannot be used to sign up.'],
  [{ admitAccount: async () => 'challenge' }, {}, 'forbidden  challenge-required'],
]

describe('a sign-up request', () => {
  const asked = ({ useCases }: ComposedProofs, form: object) =>
    outcomeOf(useCases.requestSignUp({ email: NEW, presented, ...form }))

  it('is refused with the documented code, and a refused request sends no email', async () => {
    for (const [options, form, outcome] of REQUESTS) {
      const kennel = await composeProofs(options)
      expect(await asked(kennel, form), JSON.stringify([options, form])).to.include(outcome)
      expect((await kennel.mails().sendMails()).sent).to.equal(outcome === 'done' ? 1 : 0)
    }
  })

  it('is refused during an impersonation, and so is the confirmation', async () => {
    const { confirm, byToken, ...kennel } = await prepared('sign-up')
    const byActing = { presented: await flows.acting(kennel) }
    for (const outcome of [await asked(kennel, byActing), await confirm({ ...byToken, ...byActing })])
      expect(outcome).to.equal(flows.IMPERSONATING)
    expect(await confirm(byToken)).to.equal('done')
  })

  it('passes the email, the client and the challenge to `admitAccount`, and fails with the error that it throws', async () => {
    const seen: AccountAdmission[] = []
    const admitAccount = async (admission: AccountAdmission) => {
      seen.push(admission)
      return await Promise.reject<'allow'>(new Error('no answer'))
    }
    const kennel = await composeProofs({ admitAccount })
    expect(await asked(kennel, { challenge: 'solved' }).catch(String)).to.equal('Error: no answer')
    expect(seen).to.deep.equal([{ email: NEW, client: CLIENT, challenge: 'solved' }])
    expect((await kennel.mails().sendMails()).sent).to.equal(0)
  })
})
