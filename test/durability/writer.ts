import { writeSync } from 'node:fs'

import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import { account, pet, rotation, session } from '../support/several-processes/samples.js'

/**
 * Writes until it is killed, and immediately prints each acknowledged write on a line: every printed write has to be in
 * the file after any crash.
 */
const [path = '', name = ''] = process.argv.slice(2)
const store = await openSqlite(path)

function acknowledge(...words: readonly (string | number)[]): void {
  writeSync(1, `${words.join('\t')}\n`)
}

async function writePets(): Promise<never> {
  for (let count = 0; ; count += 1) {
    const inserted = await store.pets.insert(pet(`${name} pet ${count}`))
    if (inserted.kind === 'inserted') acknowledge('pet', inserted.id, `${name} pet ${count}`)
  }
}

async function writeAccounts(): Promise<never> {
  for (let count = 0; ; count += 1) {
    const inserted = await store.accounts.insert(account(`${name}-${count}@example.org`))
    if (inserted.kind === 'inserted') acknowledge('account', inserted.id, `${name}-${count}@example.org`)
  }
}

async function writeSessions(id: string): Promise<never> {
  const inserted = await store.accounts.insert(account(`${id}@example.org`))
  await store.sessions.open(session(id, ('id' in inserted ? inserted.id : 0) as AccountId))
  acknowledge('session', id, 1)
  for (let number = 1; ; number += 1) {
    const moved = await store.sessions.rotate(rotation(id, number))
    if (moved.kind === 'rotated') acknowledge('session', id, moved.session.current.number)
  }
}

await Promise.race([
  writePets(),
  writePets(),
  writeAccounts(),
  writeSessions(`${name} a`),
  writeSessions(`${name} b`),
])
