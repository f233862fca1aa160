import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOutboxMailer } from '../../../src/adapters/nodemailer/index.js'
import { readMail } from '../../support/mail/received-mail.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { FROM, mailTo } from './samples.js'

const NOON = Date.UTC(2026, 0, 31, 12)

// The contract tests of mailers show that no unsafe address is accepted.
describe('the outbox', () => {
  const home = temporaryFolder()
  let folder: string
  let now: number
  beforeEach(() => {
    folder = home('data', 'outbox')
    now = NOON
  })

  const open = () => createOutboxMailer({ folder, from: FROM, clock: () => now })
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const read = (name: string) =>
    readMail(readFileSync(join(folder, name), 'utf8'), { from: '', to: [], secure: false, user: '' })

  const recipientOf = (name: string) => read(name).headers.find(([one]) => one === 'To')?.[1]

  it('stores an email as a file that a mail program can open', async () => {
    expect(await open().send(mailTo('ann@example.org'))).to.deep.equal({ kind: 'sent' })
    const { subject, text, html, headers } = read(readdirSync(folder)[0]!)
    const { to: _, ...sent } = mailTo('ann@example.org')
    expect({ subject, text: text.trimEnd() + '\n', html: html.trimEnd() + '\n' }).to.deep.equal(sent)
    const said = headers.filter(([name]) => ['From', 'To', 'Date', 'Auto-Submitted'].includes(name))
    expect(Object.fromEntries(said)).to.deep.equal({
      'Auto-Submitted': 'auto-generated',
      From: 'Kennel <no-reply@kennel.example>',
      To: 'ann@example.org',
      Date: 'Sat, 31 Jan 2026 12:00:00 +0000',
    })
  })

  it('uses file names that sort by time and contain nothing from the email', async () => {
    const outbox = open()
    for (const later of [0, 0, 1]) {
      now += later
      await outbox.send(mailTo(`ann${now}@example.org`))
    }
    const names = readdirSync(folder).sort()
    expect(names.map((name) => name.replace(/-[0-9a-f]{12}\.eml$/, ''))).to.deep.equal([
      '20260131T120000.000Z-000001',
      '20260131T120000.000Z-000002',
      '20260131T120000.001Z-000003',
    ])
    expect(names.map(recipientOf)).to.deep.equal([0, 0, 1].map((later) => `ann${NOON + later}@example.org`))
  })

  it('is readable only by its owner; the mode of an existing folder is not changed', async () => {
    await open().send(mailTo('ann@example.org'))
    expect(modeOf(folder)).to.equal('700')
    expect(modeOf(join(folder, readdirSync(folder)[0]!))).to.equal('600')
    chmodSync(folder, 0o750)
    await open().send(mailTo('ann@example.org'))
    expect(modeOf(folder)).to.equal('750')
  })

  it('reports that the folder cannot be written', async () => {
    writeFileSync(home('data'), 'a file')
    expect(await open().send(mailTo('ann@example.org'))).to.deep.equal({
      kind: 'unreachable',
      detail: 'The outbox cannot be written: ENOTDIR.',
    })
  })
})
