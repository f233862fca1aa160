import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import type { Password } from '../../../src/domain/identity/password.js'
import { PASSWORD } from '../../support/http/service.js'

const CHEAP = { logN: 10, r: 8, p: 1 }

let hashing: Promise<string> | undefined

/** A file that `serve --import` makes accounts of; their password is `PASSWORD`. */
export async function writeAccounts(folder: string, emails: readonly string[]): Promise<string> {
  const hasher = createScryptHasher({ cost: CHEAP, concurrency: 1 })
  const passwordHash = await (hashing ??= hasher.hash(PASSWORD as Password))
  const path = join(folder, 'accounts.ndjson')
  writeFileSync(path, emails.map((email) => `${JSON.stringify({ email, passwordHash })}\n`).join(''))
  return path
}

/** So many clients. */
export function guests(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `guest-${String(index)}@example.com`)
}
