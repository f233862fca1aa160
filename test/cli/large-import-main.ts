import { spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PROJECT } from '../support/project.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

/**
 * Imports 1,000,000 accounts, first as JSON lines and then as one array on one line, into a SQLite file, and prints
 * the peak memory of each import. Fails if an import needs more than 200 MiB. Takes several minutes, so no test runs
 * it: `npm run build`, and then `node dist/test/cli/large-import-main.js`.
 */
const ACCOUNTS = 1_000_000
const MEBIBYTES_MAX = 200

const HASH = '$2b$10$abcdefghijklmnopqrstuuE0u3cBmrXrdc0TsUNLkNl6rLMnZgDK2'
const REPORT = 'process.on("exit", () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\\n`))'

function* jsonLines(): Generator<string> {
  for (let n = 0; n < ACCOUNTS; n += 1) yield `{"email":"user${n}@example.com","passwordHash":"${HASH}"}\n`
}

function* oneArray(): Generator<string> {
  yield '['
  for (let n = 0; n < ACCOUNTS; n += 1)
    yield `${n === 0 ? '' : ','}{"id":"${n}","email":"user${n}@example.com","password_hash":"${HASH}","status_id":2}`
  yield ']'
}

const { path: folder, remove } = makeTemporaryFolder()
try {
  for (const [from, texts] of [
    ['kennel', jsonLines()],
    ['rodauth', oneArray()],
  ] as const) {
    await pipeline(Readable.from(texts), createWriteStream(join(folder, 'accounts')))
    const app = join(PROJECT, 'bin', 'app.js')
    const preload = `data:text/javascript,${encodeURIComponent(REPORT)}`
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', preload, app, 'user', 'import', '--from', from, 'accounts'],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, DATABASE_URL: `sqlite:./${from}.db` } },
    )
    const peak = Math.round(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1024)
    console.log(`${from}: ${peak} MiB, ${stdout.trim().slice(0, 100)}`)
    if (!(peak <= MEBIBYTES_MAX) || !stdout.includes(`"save":${ACCOUNTS}`)) process.exitCode = 1
  }
} finally {
  remove()
}
