import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { PRODUCTION, workplaceOfTests, wrongUsageOf } from './app.js'

const PASSWORD = 'a quiet river at dusk'
const HASH = hashSync(PASSWORD, 4)
const GOOD = 'a good long password'
const SAVED = [0, { errors: [], save: 1 }]

describe('app user', () => {
  const place = workplaceOfTests({ shared: true })

  const create = (email: string, input: string | Buffer = GOOD, env: Record<string, string> = {}) =>
    place.run(`user create ${email} --password-stdin`, { input, env })
  const failed = (field: string, type: string, message: string, code: number) => [
    ...[1, { errors: [{ field, type, message, code }], save: 0 }],
  ]

  async function expectLogins(emails: readonly string[], password: string): Promise<void> {
    const service = await place.serve()
    const replies = await Promise.all(emails.map((email) => service.logIn(email, password)))
    await service.stop()
    expect(replies.map(({ status }) => status)).to.deep.equal(emails.map(() => 200))
  }

  describe('create', () => {
    it('creates an account with a password from standard input, and also accepts the form user:create', async () => {
      expect(await create('ada@example.com')).to.deep.equal(SAVED)
      const made = await place.run('user:create colon@example.com --password-stdin', { input: `${GOOD}\n` })
      expect(made).to.deep.equal(SAVED)
    })

    for (const [name, input] of [
      ['an empty input', ''],
      ['an empty line', '\n'],
      ['only a byte-order mark', '\uFEFF\r\n'],
      ['two lines', 'one line\nanother line\n'],
      ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x41])],
      ['more than a password', 'x'.repeat(70_000)],
    ] as const)
      it(`rejects ${name} as a usage error and prints nothing`, async () => {
        await wrongUsageOf(place, 'user create x@example.com --password-stdin', { input })
      })

    it('removes a byte order mark and one line ending (LF or CRLF) from the password', async () => {
      const inputs = {
        'crlf@example.com': `${GOOD}\r\n`,
        'lf@example.com': `${GOOD}\n`,
        'mark@example.com': `\uFEFF${GOOD}`,
        'mark-crlf@example.com': Buffer.from(`\uFEFF${GOOD}\r\n`),
      }
      for (const [email, input] of Object.entries(inputs)) await create(email, input)
      await expectLogins(Object.keys(inputs), GOOD)
    })

    it('rejects a positional password together with --password-stdin', async () => {
      await wrongUsageOf(place, 'user create x@example.com password --password-stdin', { input: GOOD })
    })

    it('warns about a positional password and never prints the password', async () => {
      const args = ['user', 'create', 'pos@example.com', 'canary-password']
      const { code, stdout, stderr } = await place.app(args)
      expect([code, JSON.parse(stdout)]).to.deep.equal(SAVED)
      expect(stderr)
        .to.match(/history of your shell/)
        .and.not.contain('canary-password')
    })

    it('uses the part of the email before the @ as the password outside production, with a warning', async () => {
      const { code, stderr } = await place.app(['user', 'create', 'bob@example.com'])
      expect(code).to.equal(0)
      expect(stderr).to.match(/the password is now "bob"/)
      const message = 'A password is required in production; use --password-stdin.'
      const refused = await place.run('user create carol@example.com', { env: PRODUCTION })
      expect(refused).to.deep.equal(failed('password', 'Required', message, 400))
    })

    it('stores a recognized hash unchanged, as the command user password does', async () => {
      await create('later@example.com')
      expect(await create('hashed@example.com', HASH)).to.deep.equal(SAVED)
      expect((await place.run(`user password later@example.com ${HASH}`))[0]).to.equal(0)
      await expectLogins(['hashed@example.com', 'later@example.com'], PASSWORD)
    })
  })

  describe('password', () => {
    const setPassword = (email: string, env: Record<string, string> = {}) =>
      place.run(`user password ${email} --password-stdin`, { input: 'quite another one', env })

    it('sets the password of a single account', async () => {
      await create('dan@example.com')
      const result = { User: { matched: 1, save: 1, errors: [] } }
      expect(await setPassword('dan@example.com')).to.deep.equal([0, result])
    })

    it('prints the result under USER_MODEL_NAME, even on failure', async () => {
      const message = 'There is no account with this email.'
      const errors = [{ field: 'email', type: 'NotFound', message, code: 404 }]
      const result = { Person: { matched: 0, save: 0, errors } }
      const set = await setPassword('nobody@example.com', { USER_MODEL_NAME: 'Person' })
      expect(set).to.deep.equal([1, result])
    })

    for (const args of ['', ' --password-stdin', ' --all --password-stdin', ' a@example.com --all'])
      it(`rejects "user password${args}" as a usage error`, async () => {
        await wrongUsageOf(place, `user password${args}`, { input: GOOD })
      })

    describe('--all', () => {
      const other = workplaceOfTests()

      it("sets the password of every account to the account's email", async () => {
        for (const email of ['one@example.com', 'two@example.com'])
          await other.run(`user create ${email} --password-stdin`, { input: GOOD })
        const result = { User: { matched: 2, save: 2, errors: [] } }
        expect(await other.run('user password --all')).to.deep.equal([0, result])
      })
    })
  })

  describe('role', () => {
    before(async () => {
      await place.run('role create editor Editor')
      await create('eve@example.com')
    })

    it('is assigned to a new account, which is not created if the role is unknown', async () => {
      await place.run('role create author Author')
      const roles = '--role author --role editor'
      const made = await place.run(`user create ${roles} new@example.com --password-stdin`, { input: GOOD })
      const none = await place.run('user create none@example.com --role unheard-of')
      const [, listed] = await place.run('user list --email n')
      expect([made, none]).to.deep.equal([
        SAVED,
        failed('role', 'NotFound', 'There is no role "unheard-of".', 404),
      ])
      const [row, ...others] = listed as readonly { email: string; roles: readonly string[] }[]
      expect([row?.email, row?.roles, others]).to.deep.equal(['new@example.com', ['author', 'editor'], []])
    })

    it('can be assigned twice without an error, but removed only once', async () => {
      for (const _ of [1, 2]) expect(await place.run('user role eve@example.com editor')).to.deep.equal(SAVED)
      const removed = [1, 2].map(() => 'user role eve@example.com editor --remove')
      const codes = []
      for (const command of removed) codes.push((await place.run(command))[0])
      expect(codes).to.deep.equal([0, 1])
    })
  })

  describe('help', () => {
    it('shows the usage of every command of the topic, and needs no store', async () => {
      const { code, stdout } = await place.app(['user', 'help'], { env: { DATABASE_URL: 'memory:' } })
      expect(code).to.equal(0)
      expect(stdout)
        .to.contain('$ app user create EMAIL [PASSWORD] [--password-stdin] [--role ROLE...]')
        .and.contain('$ app user password [EMAIL] [PASSWORD] [--password-stdin] [--all]')
        .and.contain('$ app user role EMAIL ROLE [--remove]')
      const ids = Object.keys(COMMANDS).filter((id) => id.startsWith('user:'))
      for (const id of ids) expect(stdout).to.match(new RegExp(`^\\$ app ${id.replace(':', ' ')} `, 'm'))
    })
  })
})
