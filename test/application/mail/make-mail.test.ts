import { expect } from 'chai'
import fc from 'fast-check'
import { createMakeMail } from '../../../src/application/mail/make-mail.js'
import { canonicalEmail, type Email } from '../../../src/domain/identity/email.js'
import { FACTOR_CHANGES, PASSKEY_CHANGES, type MailJob, type MailJobId } from '../../../src/domain/mail.js'
import type { MailTemplates } from '../../../src/ports/mail.js'
import { composeResets, type ComposedResets } from '../../support/mail/composed-resets.js'
import { fragmentOf, linkIn } from '../../support/mail/postbox.js'

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
