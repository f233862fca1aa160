import { expect } from 'chai'
import fc from 'fast-check'
import { createMakeMail, type MakeMailParts } from '../../../src/application/mail/make-mail.js'
import { email, type Email } from '../../../src/domain/identity/email.js'
import { FACTOR_CHANGES, type MailJob, type MailJobId } from '../../../src/domain/mail.js'
import type { MailTemplates, MailText } from '../../../src/ports/mailer.js'
import { composeResets, type ComposedResets } from '../../support/mail/composed-resets.js'
import { fragmentOf, linkIn, ownTemplates } from '../../support/mail/postbox.js'

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img/src=x/onerror=alert(1)>',
  '</strong>',
  '"onmouseover="alert(1)',
  "'",
  '`',
  '{{link}}',
  '{{{email}}}',
  '{{=<%',
  '{{#email}}',
  '&amp;',
  '&lt;',
  '&resettoken=x',
  '#email=x',
  '%40',
  '%',
  '+',
  '?',
  '\\',
  ']]>',
  '-->',
  'https://evil.example/',
  '$&',
  '$1',
  '\u202e',
  '🐕',
  'é',
]

const piece = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ maxLength: 8 }),
)
const half = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
/** An email as it may be typed, which the rule of emails accepts. */
const typed = fc
  .tuple(half, half)
  .map((halves) => halves.join('@'))
  .filter((text) => email(text).ok)

function valueOf(text: string): string {
  const parsed = email(text)
  return parsed.ok ? parsed.value : ''
}

/** The tags without the target of the link, the link, and the shown email. */
function partsOf(html: string): { tags: string[]; link: string; shown: string } {
  const unescaped = (text: string) =>
    text
      .replaceAll(/&#x([0-9A-F]+);|&#([0-9]+);/gi, (_all, hex?: string, decimal?: string) =>
        String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      )
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const tags = (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/href="[^"]*"/, 'href'))
  const link = unescaped(/href="([^"]*)"/.exec(html)?.[1] ?? '')
  return { tags, link, shown: unescaped(/<strong>([^<]*)<\/strong>/.exec(html)?.[1] ?? '') }
}

describe('a mail to any email', () => {
  let resets: ComposedResets
  before(async () => {
    resets = await composeResets()
  })

  const mailTo = async (text: string) => {
    const address = valueOf(text)
    // The same email may come twice, and it gets only one mail a minute.
    resets.clock.now += 3_600_000
    await resets.store.accounts.insert({ email: address as Email, createdAt: 0 })
    await resets.useCases.requestPasswordReset({ email: text, presented: {} })
    expect(await resets.sendMails()).to.equal(1)
    return { address, mail: resets.postbox.arrived.at(-1) }
  }

  it('has only the unchanged email and the token in the fragment of its link', async () => {
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        const { address, mail } = await mailTo(text)
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

  it('shows the email unchanged, and has the same HTML tags as for any other email', async () => {
    const plain = partsOf((await mailTo('ada@example.com')).mail?.html ?? '')
    expect(plain.tags).to.have.length.greaterThan(10)
    expect(plain.shown).to.equal('ada@example.com')
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        const { address, mail } = await mailTo(text)
        const { tags, link, shown } = partsOf(mail?.html ?? '')
        expect(tags).to.deep.equal(plain.tags)
        expect(shown).to.equal(address)
        expect(link).to.equal(linkIn(mail))
        expect(mail?.text).to.include(` ${address}.`)
        expect(mail?.subject).to.equal('Reset your password')
      }),
      { numRuns: 100 },
    )
  })

  it('names the lifetime of its token; making it is audited with the requesting client', async () => {
    const [email, client] = ['minutes@example.com', { address: '192.0.2.7', requestId: 'a request' }]
    await resets.account(email)
    await resets.useCases.requestPasswordReset({ email, presented: { client } })
    await resets.sendMails()
    const { text, html } = resets.postbox.arrived.at(-1) ?? expect.fail('a mail has arrived')
    for (const body of [text, html]) expect(body).to.include('It expires 30 minutes after')
    const [record] = await resets.store.audit.page({ limit: 1, order: 'newest-first' })
    expect(record).to.include({ event: 'reset.ask', outcome: 'success', ...client })
  })

  it('is as harmless in a notice', () => {
    const templates = ownTemplates()
    const where = { time: '2030-01-02 03:04 UTC', address: '192.0.2.7' }
    const NOTICES: Readonly<Record<string, (email: string, client: string) => MailText>> = {
      'Your password was changed': (email) => templates.render('password-changed', { email }),
      'A login with a new client': (email, client) =>
        templates.render('new-client', { email, client, ...where }),
      'A login of yours was ended': (email, client) =>
        templates.render('refresh-reused', { email, client, ...where }),
      'Your second factor was changed': (email) =>
        templates.render('factor-changed', {
          email,
          ...where,
          added: 'added',
          removed: '',
          recovery: '',
          renewed: '',
        }),
    }
    for (const [title, render] of Object.entries(NOTICES)) {
      const plain = partsOf(render('ada@example.com', 'Firefox 130 on Linux').html)
      fc.assert(
        fc.property(typed, piece, (text, client) => {
          const { html, subject } = render(valueOf(text), client.trim() === '' ? 'x' : client)
          expect(partsOf(html).tags).to.deep.equal(plain.tags)
          expect(partsOf(html).shown).to.equal(valueOf(text))
          expect(subject).to.equal(title)
        }),
      )
    }
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
    const makeMail = createMakeMail({ templates } as unknown as MakeMailParts)
    const askedAt = Date.UTC(2030, 0, 2, 3, 4, 59, 999)
    const email = 'ada@example.com' as Email
    const mail = await makeMail({ id: '0' as MailJobId, kind, email, askedAt, attempts: 3, ...change })
    expect(mail?.to).to.equal('ada@example.com')
    return rendered
  }
  const where = { email: 'ada@example.com', time: '2030-01-02 03:04 UTC', address: '192.0.2.7' }

  it('contains the data of its job, and reads and creates nothing else', async () => {
    const from = { address: '192.0.2.7', about: 'Firefox 130 on Linux' }
    for (const kind of ['new-client', 'refresh-reused'] as const)
      expect(await make(kind, from)).to.deep.equal([[kind, { ...where, client: 'Firefox 130 on Linux' }]])
    expect(await make('new-client')).to.deep.equal([['new-client', { ...where, address: '', client: '' }]])
    expect(await make('password-changed', from)).to.deep.equal([
      ['password-changed', { email: 'ada@example.com' }],
    ])
  })

  it('has a word for one change of a factor', async () => {
    const none = { added: '', removed: '', recovery: '', renewed: '' }
    for (const about of FACTOR_CHANGES)
      expect(await make('factor-changed', { address: '192.0.2.7', about })).to.deep.equal([
        ['factor-changed', { ...where, ...none, [about]: about }],
      ])
  })
})

describe('a reset mail', () => {
  it('goes to the email of the account, and not to another mailbox of the same canonical email', async () => {
    const resets = await composeResets()
    const [email, enteredEmail] = ['strasse@xn--bcher-kva.example' as Email, 'Straße@Bücher.example' as Email]
    await resets.store.accounts.insert({ email, enteredEmail, createdAt: 0 })
    for (const text of ['strasse@bücher.example', 'STRASSE@xn--bcher-kva.example', 'straße@BÜCHER.example']) {
      resets.clock.now += 3_600_000
      await resets.useCases.requestPasswordReset({ email: text, presented: {} })
      expect(await resets.sendMails(), text).to.equal(1)
      expect(resets.postbox.arrived.at(-1)?.to, text).to.equal('Straße@xn--bcher-kva.example')
    }
  })
})
