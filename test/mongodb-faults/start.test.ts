import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { outcomeOf, type Outcome } from '../support/outcome.js'
import { createLeftovers } from './leftovers.js'
import { startNode, type Node } from './mongod.js'
import { startOldServer } from './old-server.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'

/** The password in every URL below: it must not appear in any output or log. */
const CANARY = 'c4nary-p4ssw0rd'
const LOGIN = `kennel:${CANARY}@`

/** No server listens at port 1; `invalid` is a domain that never exists (RFC 2606). */
const NOT_THERE = {
  'mongodb://@127.0.0.1:1/kennel': /^No MongoDB server that accepts writes can be reached: .*ECONNREFUSED/,
  'mongodb://@no-such-host.invalid/kennel':
    /^No MongoDB server that accepts writes can be reached: .*(ENOTFOUND|EAI_AGAIN) no-such-host\.invalid/,
  'mongodb+srv://@no-such-host.invalid/kennel':
    /^The servers in DATABASE_URL cannot be looked up: querySrv [A-Z]+ _mongodb\._tcp\.no-such-host\.invalid$/,
}

const REFUSED_LOGIN = 'MongoDB rejected the user name or the password in DATABASE_URL.'

describeWith('mongod', 'a MongoDB that the service cannot use', () => {
  const leftovers = createLeftovers()
  let folder: TemporaryFolder
  let place: Workplace
  let guarded: Node

  before(async () => {
    folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    place = await makeWorkplace()
    leftovers.add(() => place.remove())
    const user = { name: 'root', password: 'another one' }
    guarded = await startNode({ folder: join(folder.path, 'guarded'), user })
    leftovers.add(guarded.kill)
  })
  after(() => leftovers.clear())

  const start = (args: readonly string[], url: string) =>
    place.child(args, { env: { DATABASE_URL: url.replace('@', LOGIN), PORT: '0', LOG_LEVEL: 'debug' } })

  /** Both end with status 1 and this message; the command has it in its document as well. */
  async function expectSentence(url: string, sentence: string | RegExp): Promise<void> {
    const [command, service] = await Promise.all([
      start(['role', 'create', 'keeper', 'Keeper'], url),
      start(['serve'], url),
    ])
    expect(service.code).to.equal(1)
    expect(service.stderr.trim()).to.match(exactly(sentence))
    expect(command.code).to.equal(1)
    const { errors, save } = JSON.parse(command.stdout) as { errors: { message: string }[]; save: number }
    expect(save).to.equal(0)
    expect(errors.map(({ message }) => message).join()).to.match(exactly(sentence))
    for (const outcome of [command, service]) expectNoSecret(outcome)
  }

  it('is reported if the driver cannot parse the URL', async () => {
    await expectSentence(
      `mongodb://@localhost:27017:27018/kennel`,
      'DATABASE_URL is not a connection string that the MongoDB driver understands.',
    )
    await expectSentence(
      `mongodb://@localhost/kennel?noSuchOption=${CANARY}`,
      'DATABASE_URL is not a connection string that the MongoDB driver understands.',
    )
  })

  it('is reported if it rejects the password or requires a password', async () => {
    await expectSentence(`mongodb://@${guarded.host}/kennel?authSource=admin`, REFUSED_LOGIN)
    await expectSentence(
      `mongodb://${guarded.host}/kennel`,
      'The MongoDB user lacks a permission: give the user the readWrite role on the database in DATABASE_URL.',
    )
  })

  it('is reported without the password, even with --debug, which prints stack traces', async () => {
    const { code, stderr } = await start(
      ['serve', '--debug'],
      `mongodb://@${guarded.host}/kennel?authSource=admin`,
    )
    expect(code).to.equal(1)
    expect(stderr).to.match(/\n\s+at /)
    expect(stderr).to.not.contain(CANARY)
  })

  it('is reported if its version is too old', async () => {
    const old = await startOldServer()
    try {
      await expectSentence(
        `mongodb://@${old.host}/kennel`,
        /^The MongoDB server is too old: .*wire version 7/,
      )
    } finally {
      await old.close()
    }
  })

  it('can start after the service, which waits for it', async () => {
    const late = await startNode({ folder: join(folder.path, 'late') })
    leftovers.add(late.kill)
    await late.kill()
    const starting = place.serve({ DATABASE_URL: `${late.url}kennel` })
    // Longer than one connection attempt of the service.
    await pause(6000)
    await late.restart()
    const { origin, child, ended, log } = await starting
    const { status } = await fetch(`${origin}/health/ready`)
    child.kill('SIGTERM')
    expect([status, await ended]).to.deep.equal([200, 0])
    expect(log()).to.contain('"event":"waiting for the store"')
  })

  it('is reported if it is down: a command then fails, and the service waits', async () => {
    const checks = Object.entries(NOT_THERE).map(async ([url, sentence]) => {
      const [command, { reason, outcome }] = await Promise.all([
        start(['user', 'list'], url),
        stopWhileWaiting(url),
      ])
      expect(command.code).to.equal(1)
      expect(command.stderr.trim()).to.match(sentence)
      expect(reason).to.match(sentence)
      expect([outcome.code, outcome.stderr]).to.deep.equal([0, ''])
      for (const one of [command, outcome]) expectNoSecret(one)
    })
    await Promise.all(checks)
  })

  async function stopWhileWaiting(url: string): Promise<{ reason: string; outcome: Outcome }> {
    const child = place.start(['serve'], { env: { DATABASE_URL: url.replace('@', LOGIN), PORT: '0' } })
    const ended = outcomeOf(child)
    let stdout = ''
    let reason = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      const line = stdout.split('\n').find((one) => one.includes('"event":"waiting for the store"'))
      if (line === undefined || reason !== '') return
      reason = (JSON.parse(line) as { detail: string }).detail
      child.kill('SIGTERM')
    })
    const outcome = await ended
    return { reason, outcome }
  }
})

function exactly(sentence: string | RegExp): RegExp {
  if (typeof sentence !== 'string') return sentence
  return new RegExp(`^${sentence.replaceAll(/[.()]/g, String.raw`\$&`)}$`)
}

function expectNoSecret(outcome: Outcome | undefined): void {
  const { stdout = '', stderr = '' } = outcome ?? {}
  expect(stdout + stderr).to.not.contain(CANARY)
  expect(stdout + stderr).to.not.match(/\n\s+at /)
}
