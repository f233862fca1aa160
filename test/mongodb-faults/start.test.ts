import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { createLeftovers } from './leftovers.js'
import { startNode, type Node } from './mongod.js'
import { startProblems } from './start-problems.js'
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

  const withLogin = (url: string) => url.replace('@', LOGIN)
  const expectSentence = (url: string, sentence: string | RegExp) =>
    startProblems(place, CANARY).expectSentence(withLogin(url), sentence)

  it('is reported if the driver cannot parse the URL', async () => {
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
    const url = withLogin(`mongodb://@${guarded.host}/kennel?authSource=admin`)
    const { code, stderr } = await startProblems(place, CANARY).start(['serve', '--debug'], url)
    expect(code).to.equal(1)
    expect(stderr).to.match(/\n\s+at /)
    expect(stderr).to.not.contain(CANARY)
  })

  it('can start after the service, which waits for it', async () => {
    const late = await startNode({ folder: join(folder.path, 'late') })
    leftovers.add(late.kill)
    await late.kill()
    const starting = place.serve({ DATABASE_URL: `${late.url}kennel` })
    // Waits longer than one connection attempt of the service.
    await pause(6000)
    await late.restart()
    const { origin, child, ended, log } = await starting
    const { status } = await fetch(`${origin}/health/ready`)
    child.kill('SIGTERM')
    expect([status, await ended]).to.deep.equal([200, 0])
    expect(log()).to.contain('"event":"waiting for the store"')
  })

  it('is reported if it is down: a command then fails, and the service waits', async () => {
    const { expectWait } = startProblems(place, CANARY)
    await Promise.all(
      Object.entries(NOT_THERE).map(([url, sentence]) => expectWait(withLogin(url), sentence)),
    )
  })
})
