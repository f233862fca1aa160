import { createHash, randomFillSync } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { median } from '../alternate.js'
import { runCommand, type Round } from '../workplace/command.js'
import { atLeast, atMost, known, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { emailOf } from '../workplace/seed.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const ACCOUNTS = 100_000

/** `user import` of ready-hashed accounts into a new SQLite file, including start and end of the process. */
export async function measureImport(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const file = join(place.folder, 'accounts.ndjson')
    await writeFile(file, Array.from({ length: ACCOUNTS }, (_, index) => lineOf(index)).join('\n'))
    const rounds: Round[] = []
    const count = run.rounds({ usual: 5, quick: 1 })
    for (let round = 0; round < count; round += 1) {
      run.progress(round + 1, count)
      rounds.push(await importOnce(place, file))
    }
    const perSecond = ACCOUNTS / median(rounds.map((one) => one.seconds))
    const peak = Math.max(...rounds.map((one) => one.peakMebibytes))
    return {
      setting: `${thousands(ACCOUNTS)} accounts with ready scrypt hashes into a new SQLite file, the start and the end of the process counted in.`,
      columns: [
        { name: 'seconds, median', digits: 2 },
        { name: 'accounts/s', digits: 0 },
        { name: 'peak MiB, highest', digits: 0 },
      ],
      rows: [
        { name: 'app user import, start to end', values: [ACCOUNTS / perSecond, perSecond, known(peak)] },
      ],
      claims: [
        atLeast('accounts a second', 20_000, perSecond, { digits: 0 }),
        atMost('peak memory', 150, known(peak), { unit: 'MiB', digits: 0 }),
      ],
    }
  })
}

async function importOnce({ env, database }: Workplace, file: string): Promise<Round> {
  for (const ending of ['', '-wal', '-shm']) await rm(`${database}${ending}`, { force: true })
  return await runCommand(['user', 'import', file], env)
}

function lineOf(index: number): string {
  return JSON.stringify({ email: emailOf(index), passwordHash: hashOfNothing() })
}

/** A hash in scrypt-kdf's format that matches no password: a real hash takes a third of a second. */
function hashOfNothing(): string {
  const bytes = Buffer.alloc(96)
  bytes.write('scrypt\u0000', 'latin1')
  bytes[7] = 17
  bytes.writeUInt32BE(8, 8)
  bytes.writeUInt32BE(1, 12)
  randomFillSync(bytes, 16, 32)
  createHash('sha256').update(bytes.subarray(0, 48)).digest().copy(bytes, 48, 0, 16)
  randomFillSync(bytes, 64, 32)
  return bytes.toString('base64')
}
