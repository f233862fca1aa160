import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Email } from '../../src/domain/identity/email.js'
import { openSqlite } from '../../src/adapters/sqlite/index.js'
import { VARIABLES } from '../../src/configuration/settings.js'
import { COMMANDS } from '../../src/program/commands.js'
import { workplaceOfTests } from '../cli/app.js'
import { until } from '../cli/workers.js'
import { itWith, toolPath } from '../support/required-tools.js'
import { variablesIn } from './image.js'

type Unit = ReturnType<typeof readUnit>

/** Sections do not matter here, because none of our settings occurs in two sections. */
function readUnit(path: string) {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^[#;[]/.test(line))
  const settings = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  /** Returns every value of a setting; the list is empty if the setting is missing. */
  const all = (name: string) => settings.flatMap(([key, value = '']) => (key === name ? [value] : []))
  return {
    all,
    one: (name: string) => {
      const [value, ...others] = all(name)
      if (value === undefined || others.length > 0)
        throw new Error(`${name} is there ${others.length} times more`)
      return value
    },
  }
}

/** Returns the variables that the unit sets; `%d` is replaced by the folder of its credentials. */
function environmentOf(unit: Unit, credentials: string): Record<string, string> {
  return variablesIn(unit.all('Environment').map((pair) => pair.replaceAll('%d', credentials)))
}

const run = promisify(execFile)
const OPERATE = join(process.cwd(), 'docs', 'operate')
const FILES = join(OPERATE, 'files')
const UNIT = join(FILES, 'kennel.service')
const ROTATION = join(FILES, 'kennel-rotation.conf')
/** A user that exists on every Linux system, with a group of the same name. */
const USER = 'daemon'
const USER_ID = 1
const PASSPHRASE = 'Only-for-tests: 4 kennels & 12 hounds'
/** The maximum exposure that `systemd-analyze security` may report, in tenths; 2.0 and above counts as exposed. */
const EXPOSURE_MAX = '15'
const KNOWN: readonly string[] = VARIABLES

describe('the systemd unit', () => {
  const place = workplaceOfTests()

  itWith(
    'systemd-analyze',
    'is valid for systemd without a warning, as are the units of the backup',
    async () => {
      // The checker requires that the program exists, at any path on this machine.
      const here = readFileSync(UNIT, 'utf8').replace('/usr/bin/node', process.execPath)
      const copy = join(place.folder, 'kennel.service')
      writeFileSync(copy, here)
      const others = ['kennel-backup.service', 'kennel-backup.timer'].map((name) => join(FILES, name))
      for (const files of [[copy], others]) {
        const { stdout, stderr } = await run(toolPath('systemd-analyze'), ['verify', '--man=no', ...files])
        expect(stdout + stderr).to.equal('')
      }
    },
  )

  itWith('systemd-analyze', 'gives the service only the rights that it needs', async () => {
    const args = ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, '--no-pager', UNIT]
    const { stdout } = await run(toolPath('systemd-analyze'), args)
    expect(stdout).to.match(/Overall exposure level for kennel\.service: \d\.\d OK/)
  })

  it('prevents core dumps, and is installed without running package scripts as root', () => {
    expect(readUnit(UNIT).one('LimitCORE')).to.equal('0')
    const page = readFileSync(join(OPERATE, 'systemd.md'), 'utf8')
    const installs = page.match(/npm (?:ci|install|prune)\b[^&\n`]*/g) ?? []
    expect(installs).to.have.length.greaterThan(1)
    expect(installs.filter((one) => !one.includes('--ignore-scripts') && one !== 'npm prune')).to.deep.equal(
      [],
    )
  })

  it('uses only existing variables, commands and files', () => {
    const unit = readUnit(UNIT)
    const rotation = readUnit(ROTATION)
    for (const one of [unit, rotation]) {
      const environment = environmentOf(one, '/credentials')
      expect(Object.keys(environment).filter((name) => !KNOWN.includes(name))).to.deep.equal([])
      const loaded = one.all('LoadCredential').map((text) => `/credentials/${text.split(':')[0] ?? ''}`)
      expect(Object.values(environment).filter((value) => value.startsWith('/credentials'))).to.deep.equal(
        loaded,
      )
    }
    const [, program = '', command = '', ...more] = unit.one('ExecStart').split(' ')
    expect(program).to.equal('/opt/kennel/bin/app.js')
    expect([Object.keys(COMMANDS).includes(command), more]).to.deep.equal([true, []])
  })

  it('waits longer than the service needs to stop, and restarts the service after a failure', () => {
    const unit = readUnit(UNIT)
    const example = readFileSync(join(process.cwd(), '.env.example'), 'utf8')
    const grace = Number(/SHUTDOWN_GRACE=(\d+)s/.exec(example)?.[1])
    expect(grace).to.be.greaterThan(0)
    expect(Number(unit.one('TimeoutStopSec'))).to.be.at.least(grace + 10)
    expect(unit.one('Restart')).to.equal('on-failure')
    // Five quick failures fit into the interval; five failures that each waited 30 s for a store do not.
    const [interval, burst, pause] = ['StartLimitIntervalSec', 'StartLimitBurst', 'RestartSec'].map((name) =>
      Number(unit.one(name)),
    ) as [number, number, number]
    expect(burst * (pause + 3)).to.be.below(interval)
    expect(burst * (pause + 30)).to.be.above(interval)
    expect(unit.all('MemoryDenyWriteExecute')).to.deep.equal([])
  })

  it('starts with its environment and the example configuration', async () => {
    const unit = readUnit(UNIT)
    writeFileSync(join(place.folder, 'passphrase'), `${PASSPHRASE}\n`)
    copyFileSync(join(FILES, 'kennel.env'), join(place.folder, '.env'))
    const service = await place.serve(environmentOf(unit, place.folder))
    const ready = await fetch(`${service.origin}/health/ready`)
    expect([ready.status, await service.stop()]).to.deep.equal([200, 0])
    const warnings = service.log().match(/"level":"warn".*/g) ?? []
    expect(warnings.filter((line) => !line.includes('PASSWORD_SCRYPT'))).to.deep.equal([])
  })

  it('provides a command for root that runs as the service user and does not reveal the passphrase', async function () {
    if (process.getuid?.() !== 0) this.skip()
    const folder = openedTo(USER_ID, place.folder)
    // Replaces the program: prints the user, both folders, the passphrase, the operator and the command line.
    const program = `#!/bin/sh\nid -un; pwd; echo "$KENNEL_CALLED_FROM"; echo "$SECURITY_JWT_PASSPHRASE"; echo "$SUDO_USER"; tr '\\0' ' ' < /proc/$$/cmdline\n`
    const files = { passphrase: `${PASSPHRASE}\n`, 'bin/app.js': program }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o755 })
    chmodSync(join(folder, 'passphrase'), 0o600)
    const { PATH = '' } = place.env
    const { stdout } = await run(join(FILES, 'kennel-app'), ['role', 'create', 'editor', 'Editor'], {
      cwd: place.folder,
      env: {
        PATH,
        KENNEL_CONFIGURATION: folder,
        KENNEL_PROGRAM: folder,
        KENNEL_USER: USER,
        SUDO_USER: 'ada',
      },
    })
    const [user, where, from, passphrase, operator, called = ''] = stdout.split('\n')
    const expected = [USER, folder, place.folder, PASSPHRASE, 'ada']
    expect([user, where, from, passphrase, operator]).to.deep.equal(expected)
    expect(called)
      .to.match(/ role create editor Editor $/)
      .and.not.include(PASSPHRASE)
  })
})

describe('the command for root', () => {
  const place = workplaceOfTests()

  for (const [audit, command, sent] of [
    ['store,log', 'user disable', 1],
    ['log', 'role delete', 1],
    ['store', 'user disable', 0],
    ['store,log', 'serve', 0],
  ] as const)
    it(`sends ${sent} audit records of ${command} to the journal with AUDIT=${audit}`, async function () {
      if (process.getuid?.() !== 0) this.skip()
      const folder = openedTo(USER_ID, place.folder)
      const record = '{"level":"info","audit":{"event":"user.disable"},"event":"audit"}'
      const program = `#!/bin/sh\necho result\necho '${record}' >&2\necho other >&2\nexit 3\n`
      // Replaces systemd-cat: writes its input to a file, and then the line `end`.
      const logger = '#!/bin/sh\ncat > "$0.read"\necho end >> "$0.read"\n'
      const files = {
        passphrase: `${PASSPHRASE}\n`,
        '.env': `AUDIT=${audit}\n`,
        'bin/app.js': program,
        logger,
      }
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(folder, name), text, { mode: 0o755 })
      const KENNEL_LOGGER = join(folder, 'logger')
      const { PATH = '' } = place.env
      const outcome = await run(join(FILES, 'kennel-app'), command.split(' '), {
        env: { PATH, KENNEL_CONFIGURATION: folder, KENNEL_PROGRAM: folder, KENNEL_USER: USER, KENNEL_LOGGER },
      }).catch((error: unknown) => error)
      const { code, stdout, stderr } = outcome as { code: number; stdout: string; stderr: string }
      expect([code, stdout, stderr]).to.deep.equal([3, 'result\n', `${record}\nother\n`])
      const read = `${KENNEL_LOGGER}.read`
      if (sent === 0) expect(existsSync(read)).to.equal(false)
      else {
        await until(() => existsSync(read) && readFileSync(read, 'utf8').endsWith('end\n'))
        expect(readFileSync(read, 'utf8')).to.equal(`${record}\nend\n`)
      }
    })
})

describe('the hourly backup under systemd', () => {
  const place = workplaceOfTests()

  itWith('sqlite3', 'copies the accounts, replaces a damaged copy, and fails without accounts', async () => {
    const isCopy = (name: string) => /^app-\d\d\.db$/.test(name)
    const unit = readUnit(join(FILES, 'kennel-backup.service')).one('ExecStart')
    const [, script = ''] =
      /^\/bin\/sh -euc '(.*)'$/.exec(unit.replaceAll('$$', '$').replaceAll('%%', '%')) ?? []
    const here = script
      .replaceAll('/var/backups/kennel', place.folder)
      .replaceAll('/var/lib/kennel', join(place.folder, 'data'))
    const copy = () => run('/bin/sh', ['-euc', here])
    mkdirSync(join(place.folder, 'data'), { recursive: true })
    const store = await openSqlite(join(place.folder, 'data', 'app.db'))
    const empty = await copy().catch(() => 'refused')
    await store.accounts.insert({ email: 'grace@example.com' as Email, createdAt: 0 })
    await copy()
    for (const name of readdirSync(place.folder).filter(isCopy))
      writeFileSync(join(place.folder, name), 'damaged')
    await copy()
    await store.close()
    const copies = readdirSync(place.folder).filter(isCopy)
    const emails = copies.map((name) =>
      run(toolPath('sqlite3'), [join(place.folder, name), 'SELECT email FROM accounts']),
    )
    const found = (await Promise.all(emails)).map(({ stdout }) => stdout).join('')
    expect([empty, found]).to.deep.equal(['refused', 'grace@example.com\n'])
  })
})

function openedTo(userId: number, parent: string): string {
  const folder = join(parent, 'kennel')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  chmodSync(parent, 0o755)
  chownSync(folder, userId, userId)
  return folder
}
