import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { allPets } from '../operations/backup-data.js'
import { SERVER_STORE } from '../support/server-stores.js'
import { workplaceOfTests } from './app.js'
import { STEPS } from './every-command.js'

const WRITERS = 32
/** An imported line costs MongoDB about ten times as much work, and all processes share the machine. */
const IMPORTED = SERVER_STORE ? 1_000 : 5_000

/** Commands without a store, the copy (which needs a source without writes), the writers' key, and the role that a key still has. */
const OTHERS = [
  'user help',
  'key generate',
  'autocomplete',
  'store copy --to sqlite:./copy.db',
  'apikey revoke 1',
  'role delete editor',
]
const COMMANDS: typeof STEPS = [
  ...STEPS.filter(([command, status]) => status === 0 && !OTHERS.includes(command)),
  ['apikey revoke 2', 0],
  ['user import accounts.ndjson', 0],
]

describe('app while the server is under full write load on the same store', () => {
  const place = workplaceOfTests({ shared: true })
  before(async () => {
    const lines = Array.from({ length: IMPORTED }, (_, n) =>
      JSON.stringify({ email: `user${n}@example.com` }),
    )
    await writeFile(join(place.folder, 'accounts.ndjson'), lines.join('\n'))
  })

  it('succeeds with every command and loses no write of the server', async () => {
    const key = JSON.parse((await place.app(['apikey', 'create', 'Load'])).stdout) as { key: string }
    const { origin, child, ended } = await place.serve()
    const load = startLoad(origin, key.key)
    const failed: unknown[] = []
    for (const [command, , input = ''] of COMMANDS) {
      const { code, stdout, stderr } = await place.child(command.split(' '), { input })
      if (code !== 0) failed.push([command, code, stdout + stderr])
    }
    const { acknowledged, refused } = await load.end()
    const total = (await allPets(origin, key.key)).size
    child.kill('SIGTERM')
    expect(await ended).to.equal(0)
    expect(failed).to.deep.equal([])
    expect([refused, total]).to.deep.equal([0, acknowledged])
    expect(acknowledged).to.be.greaterThan(1_000)
  })
})

/** Starts writers in a separate process; at any time, each writer has one pending request that creates a pet. */
function startLoad(origin: string, key: string) {
  const writers = spawn(process.execPath, [join(import.meta.dirname, 'pet-writers-main.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  writers.stdin.write(`${JSON.stringify({ origin, key, writers: WRITERS })}\n`)
  return {
    end: async () => {
      writers.stdin.end()
      const [counts] = await Promise.all([text(writers.stdout), once(writers, 'close')])
      return JSON.parse(counts) as { acknowledged: number; refused: number }
    },
  }
}
