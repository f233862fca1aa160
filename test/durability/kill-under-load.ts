import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { SessionId } from '../../src/domain/identity/session.js'
import type { Store } from '../../src/ports/store.js'
import { NOON } from '../support/several-processes/samples.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { integrityOf } from './integrity.js'

export type KillReport = {
  readonly rounds: number
  /** Writes that the killed processes had acknowledged. */
  readonly acknowledged: number
  /** The acknowledged writes that the file did not hold afterwards. */
  readonly lost: readonly string[]
  /** The result of SQLite's integrity check after each round. */
  readonly integrity: readonly string[]
}

const WRITER = fileURLToPath(new URL('writer.js', import.meta.url))
/** The longest time of writing before a kill. */
const LONGEST_LIFE = 150

/**
 * Kills a writing process with SIGKILL, `rounds` times on one file, each time after a part of its lifetime that
 * `random` (0 to 1) chooses, and then looks for the acknowledged writes.
 */
export async function killUnderLoad(rounds: number, random: () => number): Promise<KillReport> {
  const folder = makeTemporaryFolder()
  const path = join(folder.path, 'app.db')
  const [lost, integrity, all]: [string[], string[], string[]] = [[], [], []]
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const acknowledged = await writeUntilKilled(path, `r${round}`, random() * LONGEST_LIFE)
      lost.push(...(await missingFrom(path, acknowledged)))
      integrity.push(await integrityOf(path))
      all.push(...acknowledged)
    }
    lost.push(...(await missingFrom(path, all)))
    return { rounds, acknowledged: all.length, lost, integrity }
  } finally {
    folder.remove()
  }
}

/** The output until the kill; the clock starts with the first line. */
async function writeUntilKilled(path: string, name: string, life: number): Promise<string[]> {
  const writer = spawn(process.execPath, [WRITER, path, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = text(writer.stdout)
  writer.stdout.once('data', () => setTimeout(() => writer.kill('SIGKILL'), life))
  const [, signal] = (await once(writer, 'close')) as [number | null, string | null]
  if (signal !== 'SIGKILL') throw new Error('the writer ended by itself')
  return (await said).split('\n').slice(0, -1)
}

async function missingFrom(path: string, acknowledged: readonly string[]): Promise<string[]> {
  const store = await openSqlite(path)
  const missing: string[] = []
  for (const line of acknowledged) if (!(await holds(store, line))) missing.push(line)
  await store.close()
  return missing
}

async function holds(store: Store, line: string): Promise<boolean> {
  const [what, name = '', value = ''] = line.split('\t')
  if (what === 'pet') return (await store.pets.find(Number(name) as PetId))?.name === value
  if (what === 'account') return (await store.accounts.findByEmail(value as Email))?.id === Number(name)
  const active = await store.sessions.findById(name as SessionId, NOON)
  return active !== undefined && active.session.current.number >= Number(value)
}

/** As a script: the number of rounds is its argument, 100 by default; exits 1 when a write was lost. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = await killUnderLoad(Number(process.argv[2] ?? 100), Math.random)
  const damaged = report.integrity.filter((verdict) => verdict !== 'ok')
  console.log(JSON.stringify({ ...report, lost: report.lost.length, integrity: damaged }))
  process.exitCode = report.lost.length + damaged.length === 0 ? 0 : 1
}
