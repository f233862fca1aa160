import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { COMMANDS } from '../../src/program/commands.js'
import { makeWorkplace, type Workplace } from './app.js'

const PASSWORD = 'a quiet river at dusk'
const HASH = hashSync(PASSWORD, 4)

describe('app user', () => {
  let place: Workplace

  before(async () => {
    place = await makeWorkplace()
  })
  after(() => place.remove())

  const create = (email: string, input: string | Buffer = 'a good long password') =>
    place.app(['user', 'create', email, '--password-stdin'], { input })

  describe('create', () => {
    it('creates an account with a password from standard input', async () => {
      const { code, stdout } = await create('ada@example.com')
      expect([code, JSON.parse(stdout)]).to.deep.equal([0, { errors: [], save: 1 }])
    })

    it('works the same with a colon', async () => {
      const { code } = await place.app(['user:create', 'colon@example.com', '--password-stdin'], {
        input: 'long enough\n',
      })
      expect(code).to.equal(0)
    })

    it('reports a duplicate for the same email in another case', async () => {
      await create('twice@example.com')
      const { code, stdout } = await create('TWICE@example.com')
      expect(code).to.equal(1)
      expect(JSON.parse(stdout)).to.deep.equal({
        errors: [
          {
            field: 'email',
            type: 'Duplicate',
            message: 'An account with this email exists already.',
            code: 409,
          },
        ],
        save: 0,
      })
    })

    it('names the rule that an email or a password breaks', async () => {
      const email = await create('no-email')
      expect([email.code, JSON.parse(email.stdout)]).to.deep.equal([
        1,
        { errors: [{ field: 'email', type: 'Format', message: 'email-not-valid', code: 400 }], save: 0 },
      ])
      const short = await create('short@example.com', 'seven77')
      expect([short.code, JSON.parse(short.stdout)]).to.deep.equal([
        1,
        {
          errors: [
            { field: 'password', type: 'Length', message: 'must have 8 to 1024 characters', code: 400 },
          ],
          save: 0,
        },
      ])
    })

    it('rejects common passwords, except as a hash or the default password', async () => {
      const refused = async (args: readonly string[], input: string, env = {}) => {
        const { code, stdout } = await place.app([...args, '--password-stdin'], { input, env })
        const { errors } = JSON.parse(stdout) as { errors: readonly { message: string }[] }
        return [code, ...errors.map(({ message }) => message)]
      }
      const common = 'is one of the commonest passwords: choose another one'
      const context = 'is mostly the email or the name of this service: choose another one'
      const email = 'grace.hopper@example.com'
      expect(await refused(['user', 'create', email], 'Password123')).to.deep.equal([1, common])
      expect(await refused(['user', 'create', email], 'hopper-1906')).to.deep.equal([1, context])
      const file = join(place.folder, 'passwords.txt')
      await writeFile(file, 'Compiler of Mark I\r\n')
      const env = { PASSWORD_BLOCKLIST: file }
      expect(await refused(['user', 'create', email], 'compiler of mark i', env)).to.deep.equal([1, common])
      expect(await refused(['user', 'create', email], 'Password123', env)).to.deep.equal([1, common])
      expect(
        await refused(['user', 'create', email], 'Password123', { PASSWORD_BLOCKLIST: 'off' }),
      ).to.deep.equal([0])
    })

    it('names the invalid line of a blocklist, and does nothing', async () => {
      const file = join(place.folder, 'table.txt')
      await writeFile(file, 'one\ntwo\t2\n')
      const env = { PASSWORD_BLOCKLIST: file }
      const message = `PASSWORD_BLOCKLIST: the file ${file} line 2 has a control character`
      const args = ['user', 'create', 'table@example.com', '--password-stdin']
      const { code, stdout } = await place.app(args, { env, input: 'a good long password' })
      expect([code, JSON.parse(stdout)]).to.deep.equal([
        1,
        { errors: [{ message, field: '', type: 'NotValid', code: 400 }], save: 0 },
      ])
      const service = await place.child(['serve'], { env })
      expect([service.code, service.stderr]).to.deep.equal([1, `${message}\n`])
    })

    for (const [name, input] of [
      ['an empty input', ''],
      ['an empty line', '\n'],
      ['only a byte-order mark', '\uFEFF'],
      ['a byte-order mark and a line end', '\uFEFF\r\n'],
      ['two lines', 'one line\nanother line\n'],
      ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x41])],
      ['more than a password', 'x'.repeat(70_000)],
    ] as const) {
      it(`rejects ${name} as wrong usage and prints nothing`, async () => {
        const { code, stdout } = await place.app(['user', 'create', 'x@example.com', '--password-stdin'], {
          input,
        })
        expect([code, stdout]).to.deep.equal([2, ''])
      })
    }

    it('strips a byte-order mark and one line end, LF or CRLF, from the password', async () => {
      const inputs = {
        'crlf@example.com': 'long password\r\n',
        'lf@example.com': 'long password\n',
        'mark@example.com': '\uFEFFlong password',
        'mark-lf@example.com': '\uFEFFlong password\n',
        'mark-crlf@example.com': Buffer.from('\uFEFFlong password\r\n'),
      }
      for (const [email, input] of Object.entries(inputs)) await create(email, input)
      const { origin, child, ended } = await place.serve()
      const logIn = async (email: string) => {
        const reply = await fetch(`${origin}/api/auth/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email, password: 'long password' }),
        })
        return [email, reply.status]
      }
      const replies = await Promise.all(Object.keys(inputs).map(logIn))
      child.kill()
      await ended
      expect(replies).to.deep.equal(Object.keys(inputs).map((email) => [email, 200]))
    })

    it('rejects a positional password together with --password-stdin', async () => {
      const { code, stdout } = await place.app(
        ['user', 'create', 'x@example.com', 'password', '--password-stdin'],
        {
          input: 'another password',
        },
      )
      expect([code, stdout]).to.deep.equal([2, ''])
    })

    it('warns about a positional password and never repeats it', async () => {
      const { code, stdout, stderr } = await place.app([
        'user',
        'create',
        'pos@example.com',
        'canary-password',
      ])
      expect([code, JSON.parse(stdout)]).to.deep.equal([0, { errors: [], save: 1 }])
      expect(stderr).to.match(/history of your shell/)
      expect(stderr).to.not.contain('canary-password')
    })

    it('falls back to the part before the @, with a prominent warning', async () => {
      const { code, stderr } = await place.app(['user', 'create', 'bob@example.com'])
      expect(code).to.equal(0)
      expect(stderr).to.match(/anybody can guess/)
    })

    it('has no fallback in production', async () => {
      const { code, stdout } = await place.app(['user', 'create', 'carol@example.com'], {
        env: {
          NODE_ENV: 'production',
          PUBLIC_URL: 'https://pets.example',
          SECURITY_JWT_PASSPHRASE: 'Only-for-tests: 4 kennels & 12 hounds',
        },
      })
      const message = 'A password is required in production; use --password-stdin.'
      expect([code, JSON.parse(stdout)]).to.deep.equal([
        1,
        { errors: [{ field: 'password', type: 'Required', message, code: 400 }], save: 0 },
      ])
    })

    it('stores a recognised hash unchanged, as user password does', async () => {
      await create('later@example.com')
      const made = [
        await create('hashed@example.com', HASH),
        await place.app(['user', 'password', 'later@example.com', HASH]),
      ]
      expect(made.map(({ code }) => code)).to.deep.equal([0, 0])
      const { origin, child, ended } = await place.serve()
      const logins = ['hashed@example.com', 'later@example.com'].map(async (email) => {
        const body = JSON.stringify({ email, password: PASSWORD })
        const headers = { 'Content-Type': 'application/json' }
        return (await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body })).status
      })
      const statuses = await Promise.all(logins)
      child.kill()
      await ended
      expect(statuses).to.deep.equal([200, 200])
    })

    it('rejects a hash that is too expensive to verify, and does not take it for a password', async () => {
      const { code, stdout } = await create('dear@example.com', `$2b$15$${HASH.slice(7)}`)
      const limit =
        'scrypt is taken up to 4 times the configured work (N=2^10 r=8 p=1) and 256 MiB, bcrypt up to cost 14'
      const message = `would cost too much to verify: ${limit}`
      expect([code, JSON.parse(stdout)]).to.deep.equal([
        1,
        { errors: [{ field: 'passwordHash', type: 'NotValid', message, code: 400 }], save: 0 },
      ])
    })
  })

  describe('password', () => {
    it('sets the password of one account', async () => {
      await create('dan@example.com')
      const { code, stdout } = await place.app(['user', 'password', 'dan@example.com', '--password-stdin'], {
        input: 'quite another one',
      })
      expect([code, JSON.parse(stdout)]).to.deep.equal([0, { User: { matched: 1, save: 1, errors: [] } }])
    })

    it('is keyed by USER_MODEL_NAME, also when it fails', async () => {
      const { code, stdout } = await place.app(
        ['user', 'password', 'nobody@example.com', '--password-stdin'],
        {
          env: { USER_MODEL_NAME: 'Person' },
          input: 'quite another one',
        },
      )
      const message = 'There is no account with this email.'
      expect([code, JSON.parse(stdout)]).to.deep.equal([
        1,
        {
          Person: { matched: 0, save: 0, errors: [{ field: 'email', type: 'NotFound', message, code: 404 }] },
        },
      ])
    })

    for (const args of [
      [],
      ['--password-stdin'],
      ['--all', '--password-stdin'],
      ['a@example.com', '--all'],
    ]) {
      it(`rejects "${['user password', ...args].join(' ')}" as wrong usage`, async () => {
        const { code, stdout } = await place.app(['user', 'password', ...args], {
          input: 'a good long password',
        })
        expect([code, stdout]).to.deep.equal([2, ''])
      })
    }

    it('sets every password with --all, each to the email of its account', async () => {
      const other = await makeWorkplace()
      for (const email of ['one@example.com', 'two@example.com']) {
        await other.app(['user', 'create', email, '--password-stdin'], { input: 'a good long password' })
      }
      const { code, stdout } = await other.app(['user', 'password', '--all'])
      await other.remove()
      expect([code, JSON.parse(stdout)]).to.deep.equal([0, { User: { matched: 2, save: 2, errors: [] } }])
    })
  })

  describe('role', () => {
    before(async () => {
      await place.app(['role', 'create', 'editor', 'Editor'])
      await create('eve@example.com')
    })

    it('assigns a role, also twice', async () => {
      for (const _ of [1, 2]) {
        const { code, stdout } = await place.app(['user', 'role', 'eve@example.com', 'editor'])
        expect([code, JSON.parse(stdout)]).to.deep.equal([0, { errors: [], save: 1 }])
      }
    })

    for (const [email, role, field] of [
      ['eve@example.com', 'nope', 'role'],
      ['nobody@example.com', 'editor', 'email'],
    ] as const) {
      it(`saves nothing if the ${field} is missing`, async () => {
        const { code, stdout } = await place.app(['user', 'role', email, role])
        const result = JSON.parse(stdout) as { save: number; errors: { field: string }[] }
        expect([code, result.save, result.errors.map((one) => one.field)]).to.deep.equal([1, 0, [field]])
      })
    }

    it('removes a role', async () => {
      await place.app(['user', 'role', 'eve@example.com', 'editor'])
      const taken = await place.app(['user', 'role', 'eve@example.com', 'editor', '--remove'])
      const again = await place.app(['user', 'role', 'eve@example.com', 'editor', '--remove'])
      expect([taken.code, again.code]).to.deep.equal([0, 1])
    })
  })

  describe('help', () => {
    it('shows every command of the topic with its usage, and needs no store', async () => {
      const { code, stdout } = await place.app(['user', 'help'], { env: { DATABASE_URL: 'memory:' } })
      expect(code).to.equal(0)
      expect(stdout)
        .to.contain('$ app user create EMAIL [PASSWORD] [--password-stdin]')
        .and.contain('$ app user password [EMAIL] [PASSWORD] [--password-stdin] [--all]')
        .and.contain('$ app user role EMAIL ROLE [--remove]')
      const ids = Object.keys(COMMANDS).filter((id) => id.startsWith('user:'))
      for (const id of ids) expect(stdout).to.match(new RegExp(`^\\$ app ${id.replace(':', ' ')} `, 'm'))
    })

    it('needs its permission like every command', async () => {
      const cli = { components: { 'user-task': ['create', 'password', 'role'], user: ['*'] } }
      const file = join(place.folder, 'without-help.json')
      await writeFile(file, JSON.stringify({ roles: { cli } }))
      const { code, stdout } = await place.app(['user', 'help'], { env: { PERMISSIONS_FILE: file } })
      const message = 'This action is not granted to you.'
      expect([code, JSON.parse(stdout)]).to.deep.equal([
        1,
        { errors: [{ field: '', type: 'Forbidden', message, code: 403 }], save: 0 },
      ])
    })
  })
})
