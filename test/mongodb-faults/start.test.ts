import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect } from 'chai'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { outcomeOf } from '../support/outcome.js'
import { refusalOf } from '../support/refusal-of.js'
import { createLeftovers } from './leftovers.js'
import { startNode, type Node } from './mongod.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'

/** The password in every URL below: it must not appear in any output or log. */
const CANARY = 'c4nary-p4ssw0rd'
const LOGIN = `kennel:${CANARY}@`

/** No server listens at port 1; `invalid` is a domain that never exists (RFC 2606). `GUARDED` is the server that requires a password. */
const PROBLEMS = {
  [`mongodb://${LOGIN}localhost/kennel?noSuchOption=${CANARY}`]:
    /^DATABASE_URL is not a connection string that the MongoDB driver understands\.$/,
  [`mongodb://${LOGIN}localhost/kennel?tls=true&tlsCAFile=/dev/zero`]:
    /^tlsCAFile in DATABASE_URL names a file that cannot be read \(not a regular file\)\.$/,
  [`mongodb://${LOGIN}GUARDED/kennel?authSource=admin`]:
    /^MongoDB rejected the user name or the password in DATABASE_URL\.$/,
  'mongodb://GUARDED/kennel': /^The MongoDB user lacks a permission: /,
  [`mongodb://${LOGIN}127.0.0.1:1/kennel`]:
    /^No MongoDB server that accepts writes can be reached: .*ECONNREFUSED/,
  [`mongodb://${LOGIN}no-such-host.invalid/kennel`]:
    /^No MongoDB server that accepts writes can be reached: .*(ENOTFOUND|EAI_AGAIN) no-such-host\.invalid/,
  [`mongodb+srv://${LOGIN}no-such-host.invalid/kennel`]:
    /^The servers in DATABASE_URL cannot be looked up: querySrv [A-Z]+ _mongodb\._tcp\.no-such-host\.invalid$/,
}

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

  for (const [url, sentence] of Object.entries(PROBLEMS))
    it(`is reported without the password: ${url.replaceAll(CANARY, '…')}`, async () => {
      const refusal = await refusalOf(openMongo(url.replace('GUARDED', guarded.host), { timeout: 2_000 }))
      expect(refusal.detail).to.match(sentence)
      expect(inspect(refusal, { depth: null })).to.not.contain(CANARY)
    })

  it('is reported without the password, even with --debug, which prints stack traces', async () => {
    const env = {
      DATABASE_URL: `mongodb://${LOGIN}${guarded.host}/kennel?authSource=admin`,
      LOG_LEVEL: 'debug',
    }
    const { code, stdout, stderr } = await place.child(['serve', '--debug'], { env })
    expect(code).to.equal(1)
    expect(stderr).to.match(/\n\s+at /)
    expect(stdout + stderr).to.not.contain(CANARY)
  })

  it('can start later: opening the store waits for it', async () => {
    const late = await startNode({ folder: join(folder.path, 'late') })
    leftovers.add(late.kill)
    await late.kill()
    let restarting: Promise<void> | undefined
    const onWait = () => {
      restarting ??= late.restart()
    }
    const store = await openMongo(`${late.url}kennel`, { timeout: 1_000, startTimeout: 60_000, onWait })
    leftovers.add(() => store.close())
    await Promise.all([restarting, store.ready()])
    expect(restarting).to.not.equal(undefined)
  })

  it('makes a command fail if it is down; a service waits, and stops on a signal', async () => {
    const env = { DATABASE_URL: `mongodb://${LOGIN}127.0.0.1:1/kennel`, PORT: '0', LOG_LEVEL: 'debug' }
    const service = place.start(['serve'], { env })
    service.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('"event":"waiting for the store"')) service.kill('SIGTERM')
    })
    const [stopped, command] = await Promise.all([outcomeOf(service), place.child(['user', 'list'], { env })])
    expect([stopped.code, stopped.stderr, command.code]).to.deep.equal([0, '', 1])
    expect(command.stderr).to.match(/^No MongoDB server that accepts writes can be reached: /)
    for (const { stdout, stderr } of [stopped, command]) expect(stdout + stderr).to.not.contain(CANARY)
  })
})
