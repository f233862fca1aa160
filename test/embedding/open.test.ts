import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import { openSqlite } from '../../src/adapters/sqlite/index.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { isRefusal } from '../../src/domain/refusal.js'
import { openKennel, OptionsError, type Kennel } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { createGate, watching } from '../support/watched-store.js'
import { DELIVERS, EMAIL, goodOptions, openWithLogin } from './opening.js'
import { call, PASSWORD, type MethodName } from './valid-inputs.js'

const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('./open-main.js', import.meta.url))
const caller = OPERATOR
const email = 'rex@pets.example'

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'resolved'
  } catch (error) {
    return isRefusal(error) ? error.code : String(error)
  }
}

/** Closing merges the log of the database into its file; with Node 20 the empty log may remain for a while. */
function hasOpenLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

describe('a closed Kennel', () => {
  const folder = temporaryFolder()

  it('rejects every call as unavailable, even a malformed call', async () => {
    const kennel = await openKennel(goodOptions())
    const names = Object.keys(kennel).filter((one) => typeof kennel[one as keyof Kennel] === 'function')
    await kennel.close()
    const methods = names.filter((one) => one !== 'close') as MethodName[]
    expect(methods).to.include.members(['authorize', 'importUsers', 'ready', 'login', 'sendMails'])
    for (const method of methods)
      expect([method, await codeOf(call(kennel, method, []))]).to.deep.equal([method, 'unavailable'])
  })

  it('rejects the remaining lines of an import that is already running', async () => {
    const kennel = await openKennel(goodOptions())
    const importUser = kennel.importUsers({ caller })
    expect(await importUser({ email })).to.equal('saved')
    await kennel.close()
    expect(await codeOf(importUser({ email: 'mia@pets.example' }))).to.equal('unavailable')
    expect(() => kennel.importUsers({ caller }))
      .to.throw()
      .with.property('code', 'unavailable')
  })

  it('has waited for pending calls, and each pending call has returned a result', async () => {
    const gate = createGate()
    const store = watching(async (name, run) => {
      if (name === 'accounts.insert') await gate.pass()
      return await run()
    })(createMemoryStore())
    const kennel = await openKennel(goodOptions({ store }))
    const order: string[] = []
    const made = kennel.createUser({ caller, email, password: PASSWORD }).then(() => order.push('made'))
    await gate.reached
    const closed = kennel.close().then(() => order.push('closed'))
    expect(await codeOf(kennel.ready())).to.equal('unavailable')
    expect(order).to.deep.equal([])
    gate.release()
    await Promise.all([made, closed])
    expect(order).to.deep.equal(['made', 'closed'])
  })

  it('has written the total count of a login flood to the audit log', async () => {
    const store = createMemoryStore()
    const { kennel, issued } = await openWithLogin({ store })
    const { sessionKey } = await kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })
    const mixed = { accessToken: issued.accessToken, sessionKey }
    const codes = await Promise.all(Array.from({ length: 40 }, () => codeOf(kennel.getIdentity(mixed))))
    expect(new Set(codes)).to.deep.equal(new Set(['invalid-token']))
    await kennel.close()
    const records = await store.audit.page({ event: 'binding.mismatch', limit: 10 })
    // Usually one record; two if a minute ended between the logins.
    expect(records.reduce((sum, { count = 0 }) => sum + count, 0)).to.equal(40)
    expect(records.length).to.be.within(1, 2)
  })

  it('does not close a store that the caller passed in, but closes a store that the Kennel opened', async () => {
    const path = folder('kennel.db')
    const own = await openSqlite(path)
    const kennel = await openKennel(goodOptions({ store: own, background: true }))
    await kennel.close()
    await own.ready()
    await own.close()
    const other = await openKennel(goodOptions({ store: `sqlite:${path}`, background: true }))
    await other.createUser({ caller, email, password: PASSWORD })
    expect(hasOpenLog(path)).to.equal(true)
    await other.close()
    expect(hasOpenLog(path)).to.equal(false)
  })

  it('has closed its store even if closing the mailer failed', async () => {
    const path = folder('kennel.db')
    const mailer = { ...DELIVERS, close: async () => await Promise.reject(new Error('stuck')) }
    const kennel = await openKennel(goodOptions({ store: `sqlite:${path}`, parts: { mailer } }))
    expect(await codeOf(kennel.close())).to.equal('Error: stuck')
    expect(hasOpenLog(path)).to.equal(false)
  })
})

describe('two Kennel instances in one process', () => {
  it('are independent of each other', async () => {
    const [first, other] = [await openKennel(goodOptions()), await openKennel(goodOptions())]
    await first.createUser({ caller, email, password: PASSWORD })
    const { accessToken, sessionKey } = await first.login({ email, password: PASSWORD, presented: {} })
    const checked = await first.checkAccessToken(accessToken)
    expect((await first.getIdentity({ accessToken: checked, sessionKey })).email).to.equal(email)
    expect(await codeOf(other.getIdentity({ accessToken, sessionKey }))).to.equal('invalid-token')
    expect(await codeOf(other.getIdentity({ accessToken: checked, sessionKey }))).to.equal('malformed')
    await first.close()
    expect(await codeOf(other.ready())).to.equal('resolved')
    await other.close()
  })
})

describe('a Kennel that fails to open', () => {
  const folder = temporaryFolder()

  it('closes its own store, but not a store that the caller passed in, if an option is invalid', async () => {
    const [path, own] = [folder('kennel.db'), createMemoryStore()]
    for (const store of [`sqlite:${path}`, own]) {
      const options = { store, mailUrl: 'file:./outbox', mailTemplates: folder() }
      const error: unknown = await openKennel(goodOptions(options)).catch((reason: unknown) => reason)
      expect(error).to.be.instanceOf(OptionsError).with.property('errors').that.is.not.empty
      for (const fault of (error as OptionsError).errors) expect(fault).to.match(/^mailTemplates: /u)
    }
    expect(hasOpenLog(path)).to.equal(false)
    await own.ready()
  })
})

describe('a process that opens a Kennel', () => {
  const folder = temporaryFolder()

  async function printed(options: object, { end = '', env = {} } = {}): Promise<Record<string, unknown>> {
    const args = [MAIN, JSON.stringify(goodOptions(options)), end]
    const { stdout } = await run(process.execPath, args, {
      cwd: folder(),
      env: { PATH: process.env['PATH'], ...env },
      timeout: 120_000,
    })
    return JSON.parse(stdout) as Record<string, unknown>
  }

  for (const end of ['close', 'nothing'])
    it(`exits by itself (call at the end: ${end})`, async () => {
      const store = `sqlite:${folder('kennel.db')}`
      const reply = await printed({ store, background: true, mailUrl: 'file:./outbox' }, { end })
      expect(reply).to.have.property('settings')
    })

  it('gets an `unavailable` refusal and exits by itself if the database refuses the connection', async () => {
    const store = 'mongodb://127.0.0.1:1/kennel'
    expect(await printed({ store })).to.deep.equal({ refused: 'unavailable' })
  })

  it('ignores environment variables and a .env file', async () => {
    const env = {
      NODE_ENV: 'development',
      DATABASE_URL: 'mongodb://127.0.0.1:1/kennel',
      SECURITY_JWT_PASSPHRASE: 'weak',
      PUBLIC_URL: 'https://elsewhere.example',
      PERMISSIONS_FILE: '/nowhere.json',
      AUDIT: 'nonsense',
    }
    const lines = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    const plain = await printed({})
    writeFileSync(folder('.env'), lines.join('\n'))
    expect(await printed({}, { env })).to.deep.equal(plain)
    expect(plain).to.have.nested.property('settings.publicUrl', 'https://pets.example')
    expect(readdirSync(folder())).to.deep.equal(['.env'])
  })
})
