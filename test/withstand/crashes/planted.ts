import { join } from 'node:path'

/** Bugs of durability; `planted-store-main.ts` has each of them. */
export const PLANTED: Readonly<Record<string, string>> = {
  unconfirmed:
    'writes are acknowledged before they are durable: on SQLite up to 0.2 s earlier, on MongoDB when the primary alone has them',
  'late-logout': 'a logout is acknowledged, and done a second later',
  'late-key': 'the idempotency key is kept a second after its pet was made',
  'half-change': 'a password is changed in two writes: the hash, and a second later the end of the sessions',
  'counters-in-memory': 'counters of attempts are kept in the memory of a process',
  'codes-in-memory': 'which codes of second factors were used is kept in the memory of a process',
}

/** The store that a service is to open: its own, or one with a bug around it. */
export function plantedEnv(url: string, planted: string | undefined): Readonly<Record<string, string>> {
  if (planted === undefined) return { DATABASE_URL: url }
  const module = join(import.meta.dirname, 'planted-store-main.js')
  return { STORE_MODULE: module, PLANTED_BUG: planted, PLANTED_URL: url }
}
