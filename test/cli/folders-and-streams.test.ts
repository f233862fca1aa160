import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { APP, type Workplace, workplaceOfTests } from './app.js'
import type { Outcome } from '../support/outcome.js'

const STACK = /\n\s+at /

describe('app with unusual folders and streams', () => {
  const place = workplaceOfTests({ shared: true })

  it('needs no HOME', async () => {
    const { HOME: _, ...homeless } = place.env
    const { stdout } = await promisify(execFile)(process.execPath, [APP, 'role', 'list'], { env: homeless })
    expect(JSON.parse(stdout)).to.deep.equal([])
  })

  it("ignores the user's oclif theme", async () => {
    const folder = join(place.folder, 'themed')
    await mkdir(join(folder, 'kennel'), { recursive: true })
    await writeFile(join(folder, 'kennel', 'theme.json'), '{"bin":5}')
    // Runs in a separate process, because a library reads FORCE_COLOR only once and would then color the output of later tests in this
    // process.
    const { stderr } = await promisify(execFile)(process.execPath, [APP, 'role', '--help'], {
      env: { ...place.env, XDG_CONFIG_HOME: folder, FORCE_COLOR: '1' },
    })
    expect(stderr).to.equal('')
  })

  // Only the superuser can become another user; this user must be able to run Node and read the checkout.
  if (process.getuid?.() === 0 && [process.execPath, APP].every(isOpenToOthers))
    it('works for a user without an entry in the password file', async () => {
      const { PATH = '' } = place.env
      const folder = join(place.folder, 'of-a-number')
      await mkdir(folder, { recursive: true })
      await chmod(place.folder, 0o755)
      await chown(folder, 12345, 12345)
      const run = async (args: string, named: Record<string, string>) => {
        const env = { PATH, DATABASE_URL: 'sqlite:./app.db', PASSWORD_SCRYPT: '10/8/1', ...named }
        const options = { env, cwd: folder, uid: 12345, gid: 12345 }
        const { stdout } = await promisify(execFile)(process.execPath, [APP, ...args.split(' ')], options)
        return stdout
      }
      expect(await run('user create ada@example.com', {})).to.contain('"save":1')
      expect(await run('user create --help', { SHELL: '/bin/sh' })).to.contain('app user create')
      expect(JSON.parse(await run('role list', { HOME: '/tmp' }))).to.deep.equal([])
    })

  it('explains that it cannot write to the current folder', async () => {
    const { code, stdout, stderr } = await place.app(['role', 'create', 'keeper', 'Keeper'], {
      env: { DATABASE_URL: 'sqlite:./data/app.db' },
      folder: await unwritableFolder(place),
    })
    const { save, errors } = JSON.parse(stdout) as { save: number; errors: { message: string }[] }
    expect([code, save, errors.length], stderr).to.deep.equal([1, 0, 1])
    expect(errors[0]?.message).to.match(/^The database file cannot be created or written to \(E[A-Z]+\)\.$/)
    expect(stderr).to.not.match(STACK)
  })

  it('works in a read-only folder if the store is elsewhere', async () => {
    const { code } = await place.app(['role', 'list'], { folder: await unwritableFolder(place) })
    expect(code).to.equal(0)
  })

  it('ends a list without an error when the reader closes the pipe', async () => {
    const lines = Array.from({ length: 2_000 }, (_, n) => JSON.stringify({ email: `reader${n}@example.com` }))
    const imported = await place.app(['user', 'import', '-'], { input: lines.join('\n') })
    expect(imported.code, imported.stdout + imported.stderr).to.equal(0)
    const { code, stdout, stderr } = await place.shell('app user list | head -1; exit "${PIPESTATUS[0]}"')
    expect(stdout).to.match(/^\[\{"id":1,"email":"reader\d+@example\.com".*\},\n$/)
    expect([code, stderr]).to.deep.equal([0, 'Standard output was closed before everything was written.\n'])
  })

  it('completes its work even if its output is not read', async () => {
    const { code } = await place.shell('app role create unread Unread | true; exit "${PIPESTATUS[0]}"')
    const { stdout } = await place.app(['role', 'list'])
    expect(code).to.equal(0)
    expect(stdout).to.contain('"unread"')
  })

  it('reports that its output cannot be written because the disk is full', async function () {
    if (process.platform !== 'linux') this.skip()
    const said = 'Standard output cannot be written (ENOSPC), but the command has completed.\n'
    for (const command of [
      ...['role list', 'role create full Full', 'key generate --plain', 'key generate', '--version'],
      ...['key generate --file new', '--help', 'user create --help', 'user help', 'autocomplete'],
    ])
      expect(await place.shell(`app ${command} > /dev/full`), command).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: said,
      })
  })

  it('exits with the correct status even if neither stream can be written', async function () {
    if (process.platform !== 'linux') this.skip()
    for (const command of ['--version', 'key generate', 'role list', 'user create', 'no such command']) {
      const { code, stdout, stderr } = await place.shell(`app ${command} > /dev/full 2>&1`)
      expect([code === 0, stdout, stderr], command).to.deep.equal([false, '', ''])
    }
  })

  it('succeeds if only notes on standard error are lost', async function () {
    if (process.platform !== 'linux') this.skip()
    const env = 'IDENTITY_STATELESS=1 STATELESS_REVOCATION=none'
    await place.shell(`${env} app user create noted@example.com`)
    for (const stream of ['/dev/full', '&-'])
      expect(
        await place.shell(`${env} app user disable noted@example.com 2>${stream}`),
        stream,
      ).to.deep.equal({
        code: 0,
        stdout: '{"errors":[],"save":1}\n',
        stderr: '',
      })
  })

  it('shows a stack trace only with --debug', async () => {
    await writeFile(join(place.folder, 'garbage.db'), 'this is no database, only a file with some text in it')
    const env = { DATABASE_URL: `sqlite:${join(place.folder, 'garbage.db')}` }
    const plain = await place.app(['role', 'list'], { env })
    const debug = await place.app(['role', 'list', '--debug'], { env })
    expect([plain.code, debug.code]).to.deep.equal([1, 1])
    expect(plain.stdout).to.equal(debug.stdout)
    expect(plain.stderr).to.not.match(STACK)
    expect(debug.stderr).to.match(STACK)
    // The command is a bundle, but its errors name the lines of the original sources.
    expect(debug.stderr).to.match(/ at openFile \(src\/adapters\/sqlite\/database\.ts:\d+:\d+\)/)
  })

  it('shows no password with --debug or in the debug output of libraries', async () => {
    const { code, stdout, stderr } = await place.child(
      ['user', 'create', 'taken', '--password-stdin', '--debug'],
      { env: { DEBUG: '*' }, input: 'canary-password' },
    )
    expect(code).to.equal(1)
    expect(stderr.length).to.be.greaterThan(1_000)
    expect(stdout + stderr).to.not.contain('canary-password')
  })
})

/** Whether another user can run this file, since a checkout may be inside a private folder. */
function isOpenToOthers(file: string): boolean {
  const isOpen = (statSync(file).mode & 0o005) === 0o005
  return isOpen && (file === dirname(file) || isOpenToOthers(dirname(file)))
}

/** Permissions do not stop the superuser, but a read-only file system does. */
async function unwritableFolder(place: Workplace): Promise<string> {
  if (process.getuid?.() === 0) return '/sys'
  const folder = join(place.folder, 'read-only')
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o555)
  return folder
}

/** Below the first limit, Node itself may fail to read the program; at the last limit, every command works. */
const LIMITS = [20, 22, 24, 25, 26, 27, 28, 30, 34, 96]

describe('a command with few file descriptors', () => {
  const place = workplaceOfTests()
  beforeEach(async () => {
    await place.app(['role', 'create', 'keeper', 'Keeper'])
  })

  it('works, or fails with advice to raise the limit and without a stack trace', async () => {
    const outcomes: Outcome[] = []
    for (const limit of LIMITS) outcomes.push(await place.shell(`ulimit -n ${limit} && app role list`))
    const told = outcomes.filter(({ stderr }) => !isOfNode(stderr))
    const failed = told.filter(({ code }) => code !== 0)
    expect(failed).to.not.be.empty
    for (const { stderr, stdout } of failed) {
      expect(stderr).to.match(/too many (open )?files.*ulimit -n 1024.*LimitNOFILE=/is)
      expect(stderr).to.not.match(/^\s+at /m)
      expect(stdout).to.not.include('Internal error')
    }
    expect(told.at(-1)?.code).to.equal(0)
  })
})

/** Whether Node failed before it could start the program. */
function isOfNode(stderr: string): boolean {
  const isUnread = /open '[^']*bin\/[\w-]+\.js'|^Error: Cannot read package config/m
  return isUnread.test(stderr) || (!/EMFILE|ulimit/.test(stderr) && /node::|Assertion/.test(stderr))
}
