import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect } from 'chai'
import { COMMANDS } from '../../src/composition-root/commands.js'
import { filesOf, PROJECT } from '../support/project.js'
import type { ReceivedMail } from '../support/mail/received-mail.js'
import { startSmtpServer, type SmtpServer } from '../support/mail/smtp-server.js'
import type { Workplace } from '../cli/app.js'
import { blocksOf, pages } from '../support/pages/blocks.js'
import { makeWalkPlace, OPERATIONS_PAGES, RESIDENTS, walk, walkedPages } from '../support/pages/walk.js'

const PASSWORD_RESET = 'docs/password-reset.md'
const IMPERSONATION = 'docs/impersonation.md'

/** Commands that are run by every test run and by continuous integration itself, or by another test. */
const SETUP = ['npm ci && npm start\n', 'npm ci && npm test\n', 'npm run bench\n', 'npm install kennel-id\n']
/** Run in test/packed, where the package is installed from its tarball. */
const PACKED = ['npm install kennel-id --omit=optional\n']
/** Blocks that other tests run, or compare with the files that they are taken from. */
const ELSEWHERE = [
  ...['js client', 'js embed', 'js node:test', 'js mocha', 'js vitest', 'text law'],
  ...['sql users-table', 'js users-table'],
  // Those of docs/operations: run on a MongoDB, or read word by word, by the tests in test/operations.
  ...['sh mongodb', 'sh host', 'sh container'],
  // Drawings, see development-page.test.ts.
  'mermaid',
]

type Account = { readonly id: number; readonly email: string }

describe('documentation', () => {
  it('has no block that no test runs', () => {
    const all = pages().flatMap(blocksOf)
    expect(all.length).to.be.greaterThan(5)
    const run = ['sh walk', ...ELSEWHERE]
    const idle = all.filter(
      ({ language, text: code }) => !run.includes(language) && ![...SETUP, ...PACKED].includes(code),
    )
    expect(idle).to.deep.equal([])
  })

  it('shows every command in a block that is run', () => {
    const walks = pages()
      .flatMap(blocksOf)
      .filter(({ language }) => language === 'sh walk')
      .map((one) => one.text)
    const commands = Object.keys(COMMANDS).map((id) => `bin/app.js ${id.replaceAll(':', ' ')}`)
    expect(commands.length).to.be.greaterThan(15)
    expect(commands.filter((command) => !walks.some((walk) => walk.includes(command)))).to.deep.equal([])
  })

  it('links only to pages and files that exist', () => {
    for (const page of pages()) {
      const links = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)
      for (const [, target = ''] of links) {
        expect(existsSync(normalize(join(dirname(page), target))), `${page} links to ${target}`).to.equal(
          true,
        )
      }
    }
  })

  it('links only to headings that exist', () => {
    const links = pages().flatMap((page) => {
      const found = readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)
      return Array.from(found, ([, path = '', anchor = '']) => ({
        from: page,
        to: path === '' ? page : normalize(join(dirname(page), path)),
        anchor,
      }))
    })
    expect(links.length).to.be.greaterThan(20)
    expect(links.filter(({ to, anchor }) => !anchorsOf(to).includes(anchor))).to.deep.equal([])
  })

  it('names a test that exists for each attack', () => {
    const rows = readFileSync('docs/threats.md', 'utf8').match(/^\| (?!Who |-).*$/gm) ?? []
    expect(rows.length).to.be.greaterThan(25)
    const tests = rows.map((row) => /`(test\/\S+\.test\.ts)`/.exec(row)?.[1] ?? row)
    expect(tests.filter((file) => !existsSync(join(PROJECT, file)))).to.deep.equal([])
  })

  it('says on every page with something to type from where and from what it starts', () => {
    const reference = ['README.md', 'docs/laws.md']
    const hasCommands = (page: string) => blocksOf(page).some(({ language }) => language !== 'mermaid')
    const typed = pages().filter((page) => hasCommands(page) && !reference.includes(page))
    const examples = filesOf('examples').filter((file) => /^examples\/[^/]+\/README\.md$/.test(file))
    const silent = [...typed, ...examples].filter((page) => {
      const [, first = ''] = readFileSync(join(PROJECT, page), 'utf8').split('\n\n')
      return !first.startsWith('> Starts from: ')
    })
    expect([typed.length > 12, examples.length]).to.deep.equal([true, 16])
    expect(silent).to.deep.equal([])
  })

  it('takes away the log of an earlier start before it waits for a line of a new one', () => {
    const walks = pages()
      .flatMap(blocksOf)
      .filter(({ language }) => language === 'sh walk')
    const starts = walks.flatMap(({ page, text }) =>
      Array.from(text.matchAll(/ serve\b.* > (\S+) & SERVICE=/g), ({ 1: log = '', index }) => ({
        page,
        log,
        isFresh: text.slice(0, index).includes(`rm -f ${log}\n`),
      })),
    )
    expect(starts.length).to.be.greaterThan(10)
    expect(starts.filter(({ isFresh }) => !isFresh)).to.deep.equal([])
  })

  describe('walks', () => {
    let place: Workplace

    // One folder for all: each page is followed with the data that those before it have left.
    before(async () => {
      place = await makeWalkPlace()
    })
    after(() => place.remove())

    it('the README, word for word', async () => {
      const { origin, child, ended } = await place.serve()
      const { code, stdout, stderr } = await walk(place, 'README.md', { APP: origin })
      child.kill('SIGTERM')
      expect([code, await ended], stderr).to.deep.equal([0, 0])
      const said = stdout.trim()
      expect(said.match(/"errors":\[\],"save":1/g)).to.have.length(3)
      expect(said).to.contain('"loggedIn":true').and.to.contain('"project-editor"')
      expect(said).to.contain('"saved":true')
      const rex = RESIDENTS.length + 1
      expect(said).to.contain(`{"id":${rex},"name":"Rex"}]`)
      expect(said).to.contain(`{"id":${rex},"name":"Rex","bark":true,"breed":"Beagle"}`)
      expect(said.endsWith('"code":401}],"roleList":{},"groupList":{},"typeList":{}}}')).to.equal(true)
    })

    it('docs/password-reset.md, with a real mail server', async () => {
      const smtp = await startSmtpServer()
      const mailbox = join(place.folder, 'mailbox')
      const delivered = deliver(smtp, mailbox, 2)
      const env = { MAIL_URL: smtp.url, MAIL_FROM: 'kennel@example.com', MAILBOX: mailbox }
      const { code, stdout, stderr } = await walk(place, PASSWORD_RESET, env)
      const mails = code === 0 ? await delivered : []
      await smtp.stop()
      expect(code, stderr).to.equal(0)
      expect(mails.map(({ to }) => to)).to.deep.equal([['ruth@example.com'], ['ruth@example.com']])
      const link = /#email=(\S+)&resetToken=(\S{43})\s/.exec(mails[0]?.text ?? '')
      expect(link?.[1]).to.equal('ruth%40example.com')
      const rows = rowsIn(stdout)
      expect(rows.map(({ event, outcome }) => `${event} ${outcome}`)).to.deep.equal(
        ['user.create', 'reset.ask', 'reset.done', 'login'].map((event) => `${event} success`),
      )
      for (const secret of [link?.[2] ?? '', 'forgotten by tomorrow', 'remembered for good'])
        expect(JSON.stringify(rows)).to.not.include(secret)
    })

    it('docs/impersonation.md, with what it says', async () => {
      const { code, stdout, stderr } = await walk(place, IMPERSONATION, {})
      expect(code, stderr).to.equal(0)
      const [acting, oneself] = stdout.split('\n').filter((line) => line.startsWith('{"code":200'))
      const accounts = JSON.parse((await place.app(['user', 'list', '--json'])).stdout) as Account[]
      const idOf = (email: string) => accounts.find((one) => one.email === email)?.id ?? 0
      const [sophie, hedy] = ['sophie@example.com', 'hedy@example.com'].map((email) => ({
        id: idOf(email),
        email,
      })) as [Account, Account]
      const [user, userAs] = [hedy, sophie].map((one) => JSON.stringify(one))
      expect(acting).to.contain(`"loggedInAs":true,"user":${user},"userAs":${userAs}`)
      expect(oneself).to.contain(`"loggedInAs":false,"user":${userAs},"userAs":null`)
      const rows = rowsIn(stdout).map(({ event, actor, subject, outcome }) => ({
        event,
        actor,
        subject,
        outcome,
      }))
      expect(rows).to.deep.equal([
        {
          event: 'impersonation.start',
          actor: `account:${sophie.id}`,
          subject: `account:${hedy.id}`,
          outcome: 'success',
        },
      ])
      expect(stdout).to.not.contain('the keys to the kennel')
    })

    const alone = ['README.md', PASSWORD_RESET, IMPERSONATION]
    // Those of operations are walked in test/operations.
    for (const page of walkedPages().filter(
      (one) => !alone.includes(one) && !one.startsWith(OPERATIONS_PAGES),
    )) {
      it(`${page}, every command of it`, async () => {
        const { code, stderr } = await walk(place, page, {})
        expect(code, stderr).to.equal(0)
      })
    }
  })
})

/** The names by which links lead to the headings of a page, as the repository's pages have them. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Puts what arrives where the page looks for it, as a mail program would; gives that many mails. */
async function deliver(smtp: SmtpServer, mailbox: string, count: number): Promise<readonly ReceivedMail[]> {
  mkdirSync(mailbox)
  const mails: ReceivedMail[] = []
  while (mails.length < count) {
    const mail = await smtp.nextMail()
    mails.push(mail)
    writeFileSync(join(mailbox, `.${mails.length}`), mail.raw)
    renameSync(join(mailbox, `.${mails.length}`), join(mailbox, `${mails.length}.eml`))
  }
  return mails
}

/** The rows of the one list of the audit log that a walk prints. */
function rowsIn(stdout: string): readonly Record<string, string>[] {
  return JSON.parse(/^\[\{"at"[^]*?\]$/m.exec(stdout)?.[0] ?? '[]') as Record<string, string>[]
}
