import { expect } from 'chai'
import fc from 'fast-check'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import { canonicalEmail, type Email } from '../../../src/domain/identity/email.js'
import { PROOF_LIFETIMES } from '../../../src/domain/identity/proof.js'
import { FACTOR_CHANGES, PASSKEY_CHANGES, type MailJob, type MailJobId } from '../../../src/domain/mail.js'
import type { MailTemplates } from '../../../src/ports/mail.js'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { createMakeMail } from '../../../src/application/mail/make-mail.js'
import { composeProofs, type ComposedProofs } from '../../support/mail/composed-proofs.js'
import { composeResets, type ComposedResets } from '../../support/mail/composed-resets.js'
import { fragmentOf, linkIn, SENT } from '../../support/mail/postbox.js'
import * as flows from '../../support/mail/proof-flows.js'
import { codeOf } from '../../support/refusal-of.js'
import { CONFIRM_URL, RESET_URL } from '../../support/use-cases.js'

const HOSTILE = [
  ...['<b>', '"onclick="alert(1)', "'", '`', '{{link}}', '{{{email}}}', '&amp;', '&resettoken=x', '#email=x'],
  ...['%40', '%', '+', '?', '\\', 'https://evil.example/', '$&', '$1', '\u202e', '🐕', 'é'],
]
const piece = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ maxLength: 8 }),
)
const half = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
/** A valid email in an unusual spelling. */
const typed = fc
  .tuple(half, half)
  .map((halves) => halves.join('@'))
  .filter((text) => canonicalEmail(text) !== undefined)

describe('an email to any address', () => {
  let resets: ComposedResets
  before(async () => {
    resets = await composeResets()
  })

  // The test of the mail templates checks that each value is escaped.
  it('has a link whose fragment contains only the unchanged email address and the token', async () => {
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        const address = canonicalEmail(text) ?? expect.fail(text)
        // An address may occur twice, and each address gets at most one email per minute.
        resets.clock.now += 3_600_000
        await resets.store.accounts.insert({ email: address, createdAt: 0 })
        await resets.ask(text)
        expect(await resets.sendMails()).to.equal(1)
        const mail = resets.postbox.arrived.at(-1)
        expect(mail?.to).to.equal(address)
        const link = linkIn(mail)
        expect(link).to.match(/^https:\/\/app\.example\/new-password#[!-~]+$/)
        const { resetToken, ...rest } = fragmentOf(link)
        expect(rest).to.deep.equal({ email: address })
        expect(resetToken).to.match(/^[A-Za-z0-9_-]{43}$/)
      }),
      { numRuns: 100 },
    )
  })

  it("states the token's lifetime, and is audited with the requesting client", async () => {
    const [email, client] = ['minutes@example.com', { address: '192.0.2.7', requestId: 'a request' }]
    await resets.account(email)
    await resets.useCases.requestPasswordReset({ email, presented: { client } })
    await resets.sendMails()
    const { text, html } = resets.postbox.arrived.at(-1) ?? expect.fail('a mail has arrived')
    for (const body of [text, html]) expect(body).to.include('It expires 30 minutes after')
    const [record] = await resets.store.audit.page({ limit: 1, order: 'newest-first' })
    expect(record).to.include({ event: 'reset.ask', outcome: 'success', ...client })
  })
})

describe('a notice', () => {
  const make = async (kind: MailJob['kind'], change: Partial<MailJob> = {}) => {
    const rendered: unknown[] = []
    const templates: MailTemplates = {
      render: (...given) => {
        rendered.push(given)
        return { subject: '', text: '', html: '' }
      },
    }
    const makeMail = createMakeMail({ templates } as never)
    const askedAt = Date.UTC(2030, 0, 2, 3, 4, 59, 999)
    const email = 'ada@example.com' as Email
    const mail = await makeMail({ id: '0' as MailJobId, kind, email, askedAt, attempts: 3, ...change })
    expect(mail?.to).to.equal('ada@example.com')
    return rendered
  }
  const where = { email: 'ada@example.com', time: '2030-01-02 03:04 UTC', address: '192.0.2.7' }

  it('contains only the data of its job, and no other data is read or created', async () => {
    const from = { address: '192.0.2.7', about: 'Firefox 130 on Linux' }
    for (const kind of ['new-client', 'refresh-reused'] as const)
      expect(await make(kind, from)).to.deep.equal([[kind, { ...where, client: 'Firefox 130 on Linux' }]])
    expect(await make('new-client')).to.deep.equal([['new-client', { ...where, address: '', client: '' }]])
    expect(await make('password-changed', from)).to.deep.equal([
      ['password-changed', { email: 'ada@example.com' }],
    ])
  })

  it('describes a single change of a second factor', async () => {
    const none = { added: '', removed: '', recovery: '', renewed: '' }
    for (const about of FACTOR_CHANGES)
      expect(await make('factor-changed', { address: '192.0.2.7', about })).to.deep.equal([
        ['factor-changed', { ...where, ...none, [about]: about }],
      ])
  })

  it('describes a single passkey event', async () => {
    const none = { added: '', removed: '', clone: '' }
    for (const about of PASSKEY_CHANGES)
      expect(await make('passkey-changed', { address: '192.0.2.7', about })).to.deep.equal([
        ['passkey-changed', { ...where, ...none, [about]: about }],
      ])
  })
})

describe('a password-reset email', () => {
  it("goes to the account's address as it was entered, not to another mailbox with the same canonical email", async () => {
    const resets = await composeResets()
    const [email, enteredEmail] = ['strasse@xn--bcher-kva.example' as Email, 'Straße@Bücher.example' as Email]
    await resets.store.accounts.insert({ email, enteredEmail, createdAt: 0 })
    for (const text of ['strasse@bücher.example', 'STRASSE@xn--bcher-kva.example', 'straße@BÜCHER.example']) {
      resets.clock.now += 3_600_000
      await resets.ask(text)
      expect(await resets.sendMails(), text).to.equal(1)
      expect(resets.postbox.arrived.at(-1)?.to, text).to.equal('Straße@xn--bcher-kva.example')
    }
  })
})

const { confirmed, eachPrepared, issued, NEW, NOT_VALID, PURPOSES, requestChange } = flows
const presented = {}

describe('an email that contains a proof', () => {
  it('states the lifetime of its link, and has a code only if a browser requested the proof', async () => {
    const facts: string[] = []
    for await (const { purpose, to, byCode, postbox } of eachPrepared()) {
      const mail = postbox.arrived.at(-1)
      const link = linkIn(mail)
      expect(link.startsWith(`${CONFIRM_URL}#`) && fragmentOf(link)['purpose']).to.equal(purpose)
      const [lifetime = ''] = /\d+ (?:minute|hour|day)s?/.exec(mail?.text ?? '') ?? []
      for (const body of [mail?.text, mail?.html]) expect(body).to.include(lifetime).and.include(byCode.code)
      facts.push([purpose, to, lifetime, byCode.code.replace(/^[2-9A-HJ-NP-Z]{8}$/, 'code')].join(' '))
    }
    expect(facts).to.deep.equal([
      'sign-up lovelace@example.com 24 hours code',
      'invitation lovelace@example.com 7 days ',
      'change-email lovelace@example.com 1 hour code',
      'undo-email ada@example.com 72 hours ',
      'login ada@example.com 10 minutes code',
    ])
  })

  it('has a new token at each attempt to send it, and the previous token stops working', async () => {
    for (const purpose of PURPOSES) {
      const kennel = await composeProofs()
      let lost = ''
      const mailed: ComposedProofs['mailed'] = async () => {
        kennel.postbox.answer(() => ({ kind: 'deferred', detail: 'later' }))
        await kennel.mails().sendMails()
        lost = fragmentOf(linkIn(kennel.postbox.tried.at(-1)))['token'] ?? ''
        kennel.postbox.answer(() => SENT)
        kennel.clock.now += 60_000
        return await kennel.mailed()
      }
      const { byToken } = await issued({ ...kennel, mailed }, purpose)
      expect(await confirmed(kennel, purpose, { ...byToken, token: lost }), purpose).to.equal(NOT_VALID)
      // The lifetime begins when the email is sent.
      kennel.clock.now += PROOF_LIFETIMES[purpose] - 1
      expect(await confirmed(kennel, purpose, byToken), purpose).to.equal('done')
    }
  })

  it('is not sent again if the process died before recording that it was sent, and the user has since signed up', async () => {
    const store = createMemoryStore()
    const dying = { ...store.mailQueue, remove: () => Promise.reject(new Error('killed')) }
    const died = await composeProofs({ store: { ...store, mailQueue: dying } })
    await died.useCases.requestSignUp({ email: NEW, presented })
    await died
      .mails()
      .sendMails()
      .catch(() => undefined)
    const kennel = await composeProofs({ store, startAt: died.clock.now + 3 * 60_000 })
    const { token } = fragmentOf(linkIn(died.postbox.arrived[0]))
    expect(await confirmed(kennel, 'sign-up', { token })).to.equal('done')
    await kennel.mails().sendMails()
    expect(kennel.postbox.arrived).to.deep.equal([])
  })

  it('is retried if too many passwords are being hashed', async () => {
    const hasher = flows.busyHasher()
    const kennel = await composeProofs(hasher)
    await kennel.useCases.requestSignUp({ email: NEW, presented })
    hasher.isBusy = true
    expect(await codeOf(kennel.mails().sendMails())).to.equal('overloaded')
    hasher.isBusy = false
    kennel.clock.now += 2 * 60_000
    expect(await confirmed(kennel, 'sign-up', await kennel.mailed())).to.equal('done')
  })

  it('is not created if the store lacks proofs', async () => {
    expect(await createMakeMail({} as never)({ kind: 'login' } as never)).to.equal(undefined)
  })
})

describe('a request for an email that its recipient could not use', () => {
  it('leaves no proof, and sends an email only to an account owner who signs up again, with a link to reset the password', async () => {
    const kennel = await composeProofs()
    const { useCases, postbox } = kennel
    for (const email of ['Ada@Example.com', 'bob@example.com', 'cy@example.com']) await kennel.account(email)
    await useCases.disableUser({ caller, email: 'cy@example.com' })
    await requestChange(kennel, 'Bob@example.com')
    for (const email of ['cy@example.com', NEW]) await useCases.requestLoginMail({ email, presented })
    const { id } = await useCases.inviteUser({ caller, email: NEW })
    await useCases.revokeInvitation({ caller, id })
    await useCases.requestSignUp({ email: 'ADA@example.com', presented })
    await kennel.mails().sendMails()
    expect(postbox.arrived.map(({ to, subject }) => [to, subject])).to.deep.equal([
      ['Ada@example.com', 'You already have an account'],
    ])
    expect(linkIn(postbox.arrived[0])).to.equal(RESET_URL)
    for (const purpose of PURPOSES)
      expect(await kennel.store.proofs.page(purpose, undefined, 9)).to.deep.equal([])
  })
})

describe('an email to an address that contains HTML', () => {
  it('shows the address as text, in every kind of email', async () => {
    const kennel = await composeProofs({ signUp: { mode: 'approval' } })
    const { useCases, postbox } = kennel
    const address = (name: string) => `<img/src=${name}>&"'{{link}}@example.com`
    await kennel.account(address('own'))
    await useCases.requestSignUp({ email: address('own'), presented })
    await useCases.requestLoginMail({ email: address('own'), presented })
    await useCases.inviteUser({ caller, email: address('invited') })
    await requestChange(kennel, address('next'), address('own'))
    expect(await confirmed(kennel, 'change-email', await kennel.mailed())).to.equal('done')
    await kennel.mails().sendMails()
    await useCases.requestSignUp({ email: address('made'), presented })
    expect(await confirmed(kennel, 'sign-up', await kennel.mailed())).to.equal('done')
    await useCases.approveUser({ caller, email: address('made') })
    await kennel.mails().sendMails()
    expect(postbox.arrived.map(({ to }) => to)).to.deep.equal(
      ['own', 'own', 'invited', 'next', 'own', 'made', 'made'].map(address),
    )
    expect(new Set(postbox.arrived.map(({ subject }) => subject))).to.have.lengthOf(7)
    for (const { to, subject, html, text } of postbox.arrived) {
      expect(subject + html).to.not.include('<img')
      expect(html).to.include('&lt;img').and.include('{{link}}')
      expect(text).to.include(to)
    }
  })
})
