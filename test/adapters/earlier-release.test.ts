import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { createJoseFormat, createSecretSeal } from '../../src/adapters/jose/index.js'
import { createKeyRing, createSessionKeys } from '../../src/adapters/keyring/index.js'
import { createPasetoFormat } from '../../src/adapters/paseto/token-format.js'
import { createAttempts } from '../../src/adapters/sqlite/attempt-limiter.js'
import { connect, type Connection } from '../../src/adapters/sqlite/driver.js'
import { MIGRATIONS } from '../../src/adapters/sqlite/schema.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { FactorSecret, SealedSecret } from '../../src/domain/identity/second-factor.js'
import type { SessionId, SessionKey } from '../../src/domain/identity/session.js'
import { createSessionCookieHeaders } from '../../src/embedding/session-cookie.js'
import type { TokenUse } from '../../src/ports/tokens.js'
import { WRITTEN } from '../support/release-0-8-0.js'
import { suiteFolder } from '../support/temporary-folder.js'

const PASSPHRASES = { current: 'Only-for-tests: 4 kennels & 12 hounds', previous: [] }
const USES: readonly TokenUse[] = ['HS512', 'EdDSA', 'v4.public']
const FACTOR = 'JBSWY3DPEHPK3PXP' as FactorSecret
const OWNER = 1 as AccountId
const ringOf = (use: TokenUse) => createKeyRing(PASSPHRASES, use, { logN: 4 })
const oneLine = (text: string) => text.replace(/\s+/g, ' ')

async function formatOf(use: TokenUse) {
  const { all, current } = await ringOf(use)
  const keys = {
    keys: all.map(({ kid, tokenSecret }) => ({ kid, secret: tokenSecret })),
    currentKid: current.kid,
  }
  return use === 'v4.public'
    ? await createPasetoFormat(keys)
    : await createJoseFormat({ algorithm: use, ...keys })
}

describe('compatibility with release 0.8.0', () => {
  const inFolder = suiteFolder()

  for (const use of USES)
    for (const kind of ['access', 'refresh'] as const)
      it(`reads and writes ${kind} tokens in ${use} as release 0.8.0 does`, async () => {
        const { [kind]: token, kid } = WRITTEN.tokens[use as 'HS512']
        const format = await formatOf(use)
        expect(await format.open(kind, token)).to.deep.equal(WRITTEN.claims)
        expect(await format.seal(kind, WRITTEN.claims, kid)).to.equal(token)
      })

  it('reads and writes session keys and cookies as release 0.8.0 does', async () => {
    const ring = await ringOf('v4.public')
    const { successor } = WRITTEN
    const previous = 'previous' as SessionKey
    expect(createSessionKeys(ring).successor(ring.current.kid, previous, 'session' as SessionId, 7)).to.equal(
      successor,
    )
    for (const [index, secure] of [true, false].entries()) {
      const headers = createSessionCookieHeaders({ name: 'sid', secure, sameSite: 'lax' })
      const cookie = WRITTEN.cookies[index]
      expect(headers.set(successor, 60)).to.equal(cookie)
      expect(headers.read(cookie?.split(';')[0])).to.equal(successor)
    }
  })

  it('reads sealed secrets of release 0.8.0, and writes them with the same key and header', async () => {
    const { all, current } = await ringOf('v4.public')
    const seal = createSecretSeal({
      keys: all.map(({ sealing }) => sealing),
      currentKid: current.sealing.kid,
    })
    const opened = await seal.open(WRITTEN.sealed as SealedSecret, OWNER)
    const headOf = (text: string) => text.split('.')[0]
    expect(opened).to.deep.equal({ secret: FACTOR, isCurrent: true })
    expect(headOf(await seal.seal(FACTOR, OWNER))).to.equal(headOf(WRITTEN.sealed))
  })

  it('has the tables and triggers of release 0.8.0', () => {
    const text = MIGRATIONS.slice(0, 21).join(';').replace(/\s+/g, '')
    expect(createHash('sha256').update(text).digest('hex')).to.equal(WRITTEN.schema)
  })

  it('reads and writes the attempts file as release 0.8.0 does', async () => {
    const path = inFolder('app.db')
    const onConnection = async <T>(work: (connection: Connection) => T) => {
      const connection = await connect(`${path}-attempts`)
      const result = work(connection)
      connection.close()
      return result
    }
    const limit = { count: 1, window: 1000 }
    const { schema, rows } = WRITTEN.attempts
    await onConnection(({ exec, prepare }) => {
      for (const statement of schema) exec(statement)
      for (const row of rows) prepare('INSERT INTO attempts VALUES (?, ?, ?)').run(...row)
    })
    const attempts = createAttempts(path, () => expect.fail('the file was recreated'))
    const refused = await attempts.take([{ name: 'somewhere', limit }], 6)
    await attempts.take([{ name: 'elsewhere', limit }], 5)
    await attempts.close()
    expect(refused).to.deep.equal({ kind: 'refused', until: 1005 })
    const found = await onConnection(({ prepare }) => ({
      schema: prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name').all(),
      rows: prepare('SELECT name, count, until FROM attempts ORDER BY name DESC').all(),
    }))
    expect(found.schema.map(([sql]) => oneLine(String(sql)))).to.deep.equal(schema)
    expect(found.rows).to.deep.equal([...rows, ['elsewhere', 1, 1005]])
  })
})
