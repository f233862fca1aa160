import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../../src/adapters/sqlite/index.js'
import type { PetName } from '../../../src/domain/catalogue/pet.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { APP, makeWorkplace, type Workplace } from '../../cli/app.js'
import { outcomeOf, type Outcome } from '../outcome.js'

/** The accounts, each with pets, that exist before the commands of a page run. */
const RESIDENTS = ['first@example.com', 'second@example.com', 'third@example.com']

/**
 * Creates the starting point of every page: a folder like the cloned repository, with `bin/app.js`, the default configuration, and
 * data in `./data` that no page has created.
 */
export async function makeWalkPlace(): Promise<Workplace> {
  const place = await makeWorkplace({ store: false })
  for (const folder of ['bin', 'data']) mkdirSync(join(place.folder, folder))
  symlinkSync(APP, join(place.folder, 'bin', 'app.js'))
  await addResidents(place.folder)
  return place
}

export async function addResidents(folder: string): Promise<void> {
  const store = await openSqlite(join(folder, 'data', 'app.db'))
  for (const email of RESIDENTS) {
    await store.accounts.insert({ email: email as Email, createdAt: 0 })
    await store.pets.insert({ name: `Pet of ${email}` as PetName })
  }
  await store.close()
}

/** Stops at the first command that fails, and returns the output of all commands. */
export async function runScript(
  place: Workplace,
  script: string,
  env: Record<string, string>,
): Promise<Outcome> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: place.folder,
    env: { ...place.env, ...env },
    detached: true,
  })
  child.stdin.end()
  // A failed script may leave services running, which keep the script's output open.
  child.once('exit', () => endGroup(child.pid))
  return await outcomeOf(child)
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // None of its processes is running.
  }
}
