import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import mustache from 'mustache'
import { loadMailTemplates } from '../../../src/adapters/mustache/mail-templates.js'
import { OWN_TEMPLATES } from '../../../src/adapters/mustache/own-templates.js'
import { MAIL_KINDS } from '../../../src/domain/mail.js'
import type { MailTemplates } from '../../../src/ports/mail.js'
import { plant, PROJECT, textOf } from '../../support/project.js'

const GOOD = {
  'reset-password.subject.txt': 'New password for {{email}}\n',
  'reset-password.txt': '{{email}} {{link}} {{minutes}}\n',
  'reset-password.html': '<a href="{{link}}">{{email}}</a> {{minutes}}\n',
  'password-changed.subject.txt': 'Changed',
  'password-changed.txt': 'Changed: {{email}}',
  'password-changed.html': '<p>Changed: {{ email }}</p>',
}
/** The files of the built-in templates; a custom folder may contain only the files in `GOOD`. */
const OURS = MAIL_KINDS.flatMap((kind) => ['subject.txt', 'txt', 'html'].map((part) => `${kind}.${part}`))
const LOADING = /<(img|link|script|iframe|object|style)\b|src=|url\(|@import/i
const LINK = 'https://kennel.example/reset-password#email=ann%40example.org&resetToken=abc'
const NO_CHANGE = { added: '', removed: '', recovery: '', renewed: '' }
const VALUES = { email: 'ann@example.org', link: LINK, minutes: '30' }

function templates(folder?: string): MailTemplates {
  const loaded = loadMailTemplates(folder)
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'))
  return loaded.templates
}

/** Returns the text of HTML without its tags. */
function shown(html: string): string {
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&#x([0-9A-F]+);/g, (_all, code: string) => {
    return String.fromCodePoint(Number.parseInt(code, 16))
  })
  return text.replaceAll('&amp;', '&').replaceAll(/\s+/g, ' ')
}

describe('the built-in mail templates', () => {
  it('are complete, and identical to the files in the template folder', () => {
    const texts = OURS.map((name) => [name, textOf('templates', 'mail', name)])
    expect(OWN_TEMPLATES).to.deep.equal(Object.fromEntries(texts))
    expect(readdirSync(join(PROJECT, 'templates', 'mail'))).to.have.members(OURS)
  })

  it('pass the checks for a folder of custom templates', () => {
    const loaded = loadMailTemplates(join(PROJECT, 'templates', 'mail'), MAIL_KINDS)
    expect(loaded.ok ? [] : loaded.errors).to.deep.equal([])
  })

  it('name the account, the link and the link lifetime in the password reset email', () => {
    const { subject, text, html } = templates().render('reset-password', VALUES)
    expect(subject).to.equal('Reset your password')
    for (const body of [text, shown(html)])
      expect(body).to.include('ann@example.org').and.include(LINK).and.include('30 minutes')
    expect(text.split('\n')).to.include(LINK)
    const target = /<a\s[^>]*href="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(shown(target), 'the button').to.equal(LINK)
    expect(html).to.not.match(LOADING)
  })

  it('name the account whose password has changed', () => {
    const { subject, text, html } = templates().render('password-changed', { email: 'ann@example.org' })
    expect(subject).to.equal('Your password was changed')
    for (const body of [text, shown(html)])
      expect(body).to.include('password of ann@example.org has just been changed')
  })

  const OCCASION = { email: 'ann@example.org', time: '2030-01-02 03:04 UTC', address: '192.0.2.7' }

  for (const [kind, title, without] of [
    ['new-client', 'A login with a new client', /^(?!.* from ).*an unknown client/s],
    ['refresh-reused', 'One of your logins was ended', /^(?!.*( from | with {2}))/s],
  ] as const)
    it(`contain the time, address and client of the login if they are known: ${kind}`, () => {
      const values = { ...OCCASION, client: 'Firefox 130 on Linux' }
      const { subject, text, html } = templates().render(kind, values)
      expect(subject).to.equal(title)
      for (const body of [text, shown(html)])
        for (const said of Object.values(values)) expect(body).to.include(said)
      const unknown = templates().render(kind, { ...OCCASION, address: '', client: '' })
      for (const body of [unknown.text, shown(unknown.html)]) expect(body).to.match(without)
    })

  /** The events of a notice, and the words that occur only in the notice of this event. */
  const EVENTS = {
    'factor-changed': {
      added: 'a second factor was set up for',
      removed: 'the second factor was removed from',
      recovery: 'a recovery code',
      renewed: 'new recovery codes were created for',
    },
    'passkey-changed': {
      added: 'a passkey was added to',
      removed: 'a passkey was removed from',
      clone: 'may be a copy',
    },
  } as const
  for (const [kind, events] of Object.entries(EVENTS))
    for (const event of Object.keys(events))
      it(`describe only the event that occurred: ${kind}, ${event}`, () => {
        const none = Object.fromEntries(Object.keys(events).map((name) => [name, '']))
        const values = { ...OCCASION, ...none, [event]: event }
        const { text, html } = templates().render(kind as 'factor-changed', values as never)
        for (const body of [text, shown(html)]) {
          expect(body).to.include('ann@example.org').and.include('192.0.2.7')
          const said = Object.entries(events).filter(([, words]) => body.includes(words))
          expect(said.map(([name]) => name)).to.deep.equal([event])
        }
      })

  it('load no resources from other servers', () => {
    expect(OURS.filter((name) => LOADING.test(OWN_TEMPLATES[name] ?? ''))).to.deep.equal([])
  })
})

describe('a folder of custom mail templates', () => {
  let planted: ReturnType<typeof plant>
  afterEach(() => planted.remove())

  const put = (changes: Readonly<Record<string, string>> = {}) => {
    planted = plant({ ...GOOD, ...changes })
    return planted.folder
  }
  /** Returns the errors for a folder, without the path of the folder. */
  const errorsIn = (folder: string, notices?: Parameters<typeof loadMailTemplates>[1]) => {
    const loaded = loadMailTemplates(folder, notices)
    return loaded.ok
      ? []
      : loaded.errors.map((error) => error.replace(`The mail template ${join(folder, '/')}`, ''))
  }

  it('may omit the template of a notice that is not selected; the built-in template is then used', () => {
    const folder = put()
    const values = { email: 'a@x.org', time: 'now', address: '', ...NO_CHANGE, added: 'x' }
    expect(templates(folder).render('factor-changed', values)).to.deep.equal(
      templates().render('factor-changed', values),
    )
    const missing = ['subject.txt', 'txt', 'html'].map((part) => `factor-changed.${part} is missing.`)
    expect(errorsIn(folder, ['factor-changed'])).to.deep.equal(missing)
  })

  it('contains either all templates of a notice or none', () => {
    const folder = put({ 'new-client.txt': '{{client}}', 'factor-changed.txt': '{{token}}' })
    expect(errorsIn(folder)).to.deep.equal([
      ...['new-client.subject.txt is missing.', 'new-client.html is missing.'],
      'factor-changed.subject.txt is missing.',
      'factor-changed.txt uses the unknown name token; known are email, address, time, added, removed, recovery, renewed.',
      'factor-changed.html is missing.',
    ])
  })

  const MARKUP = `"<b onclick='x'>&amp;\`=@x.org`
  const TAGS = '{{link}}{{{link}}}{{=<% %>=}}@x.org'
  const LINES = 'ann\r\nBcc: eve@x.org\n\u0085\u2028\u2029\u0000@x.org'
  const ONE_LINE = 'annBcc: eve@x.org@x.org'
  const ESCAPED = '&quot;&lt;b onclick&#x3D;&#39;x&#39;&gt;&amp;amp;&#x60;&#x3D;@x.org'
  const UNRENDERED = '{{link}}{{{link}}}{{&#x3D;&lt;% %&gt;&#x3D;}}@x.org'
  /** Email addresses, and how the text and the HTML of a password reset show them. */
  const RENDERED: readonly (readonly [title: string, email: string, inText: string, inHtml: string])[] = [
    ['replaces our templates', 'ann@example.org', 'ann@example.org', 'ann@example.org'],
    ['escapes every value in HTML, and none in text and subject', MARKUP, MARKUP, ESCAPED],
    ['renders no value a second time', TAGS, TAGS, UNRENDERED],
    ['has a subject of one line for any value', LINES, ONE_LINE, ONE_LINE],
  ]
  for (const [title, email, inText, inHtml] of RENDERED)
    it(title, () => {
      const values = { email, link: 'LINK', minutes: '30' }
      expect(templates(put()).render('reset-password', values)).to.deep.equal({
        subject: `New password for ${inText}`,
        text: `${inText} LINK 30\n`,
        html: `<a href="LINK">${inHtml}</a> 30\n`,
      })
    })

  it('may contain a byte order mark, comments, and sections for known names', () => {
    const folder = put({
      'password-changed.subject.txt': '\uFEFFChanged',
      'password-changed.txt': '{{! ours }}{{#email}}for {{email}}{{/email}}{{^email}}-{{/email}}',
    })
    const loaded = templates(folder)
    // The files are read only once.
    planted.remove()
    const { subject, text } = loaded.render('password-changed', { email: 'a@x.org' })
    expect([subject, text]).to.deep.equal(['Changed', 'for a@x.org'])
  })

  it('is rendered correctly even if other code changes the global settings of mustache', () => {
    const { escape, tags } = mustache
    Object.assign(mustache, { escape: String, tags: ['<%', '%>'] })
    try {
      const { html } = templates(put()).render('password-changed', { email: '<@x.org' })
      expect(html).to.equal('<p>Changed: &lt;@x.org</p>')
    } finally {
      Object.assign(mustache, { escape, tags })
    }
  })

  const RESET = ['reset-password.txt', 'reset-password.html'] as const
  const CHANGED = ['password-changed.txt', 'password-changed.html'] as const
  const UNKNOWN = 'uses the unknown name'
  const UNKNOWN_LINK = `${UNKNOWN} link; known are email`
  const SYNTAX = 'is not a mustache template'
  const UNSAFE = 'inserts email without escaping it: write {{email}}'
  const ERRORS: readonly [title: string, name: string, text: string, fault: string][] = [
    ['an empty file', RESET[0], ' \n', 'is empty'],
    ['a file of more than 64 kB', RESET[0], `{{link}}${'x'.repeat(65_529)}`, 'is larger than 64 kB'],
    ['an unclosed tag', RESET[0], '{{link}} {{email', `${SYNTAX}: Unclosed tag at 16`],
    ['an unknown name', RESET[1], '{{link}}{{token}}', `${UNKNOWN} token; known are email, link, minutes`],
    ['a name from another email', CHANGED[0], '{{#email}}{{link}}{{/email}}', UNKNOWN_LINK],
    ['{{{…}}}', CHANGED[1], '{{{email}}}', UNSAFE],
    ['{{&…}}', CHANGED[0], '{{& email}}', UNSAFE],
    ['a partial', CHANGED[0], '{{> email}}', 'includes another template, email, which is not supported'],
    ['other delimiters', CHANGED[0], '{{=<% %>=}}', 'changes the delimiters, which is not supported'],
    ['a subject of two lines', 'password-changed.subject.txt', 'One\nTwo', 'has more than one line'],
    ['a text without the link', RESET[0], '{{email}}', 'never inserts {{link}}'],
    ['HTML without the link', RESET[1], '{{! {{link}} }}', 'never inserts {{link}}'],
    ['a link that is never shown', RESET[0], 'x{{^email}}{{link}}{{/email}}', 'never inserts {{link}}'],
  ]
  for (const [title, name, text, error] of ERRORS)
    it(`is rejected because of ${title}`, () => {
      expect(errorsIn(put({ [name]: text }))).to.deep.equal([`${name} ${error}.`])
    })

  it('is rejected if a file is missing or is a folder', () => {
    const folder = put()
    const names = ['reset-password.subject.txt', 'reset-password.txt']
    for (const name of names) rmSync(join(folder, name))
    mkdirSync(join(folder, 'reset-password.txt'))
    expect(errorsIn(folder)).to.deep.equal([`${names[0]} is missing.`, `${names[1]} cannot be read: EISDIR.`])
  })

  it('is rejected if a file is not UTF-8', () => {
    const folder = put()
    writeFileSync(join(folder, CHANGED[0]), Buffer.from('Gr\xfc\xdfe', 'latin1'))
    expect(errorsIn(folder)).to.deep.equal([`${CHANGED[0]} is not UTF-8.`])
  })
})
