import { expect } from 'chai'
import fc from 'fast-check'
import { email, type Email } from '../../../src/domain/identity/email.js'
import { startResetting, type Resetting } from '../../support/http/resetting.js'
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
/** As it may be typed; accepted by the rule of emails. */
const typed = fc
  .tuple(half, half)
  .map((halves) => halves.join('@'))
  .filter((text) => email(text).ok)

function valueOf(text: string): string {
  const parsed = email(text)
  return parsed.ok ? parsed.value : ''
}

/** Tags without what stands in them for a value, and the text between them as it is read. */
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

describe('a mail to whatever is an email', () => {
  let resets: Resetting
  before(async () => {
    resets = await startResetting()
  })
  after(() => resets.service.close())

  const mailTo = async (text: string) => {
    const address = valueOf(text)
    // The same one may come twice, and one mail a minute goes to it.
    resets.service.clock.now += 3_600_000
    await resets.service.store.accounts.insert({ email: address as Email, createdAt: 0 })
    await resets.service.useCases.requestPasswordReset({ email: text, presented: {} })
    expect(await resets.sendMails()).to.equal(1)
    return { address, mail: resets.postbox.arrived.at(-1) }
  }

  it('has it unchanged in the fragment of its link, beside the token and nothing else', async () => {
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
      { numRuns: 500 },
    )
  })

  it('shows it as it is, and has no tag more in its HTML than for any other', async () => {
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
      { numRuns: 500 },
    )
  })

  it('is as harmless where it tells of a changed password', () => {
    const templates = ownTemplates()
    const plain = partsOf(templates.render('password-changed', { email: 'ada@example.com' }).html)
    fc.assert(
      fc.property(typed, (text) => {
        const { html, subject } = templates.render('password-changed', { email: valueOf(text) })
        expect(partsOf(html).tags).to.deep.equal(plain.tags)
        expect(partsOf(html).shown).to.equal(valueOf(text))
        expect(subject).to.equal('Your password was changed')
      }),
      { numRuns: 500 },
    )
  })
})
