import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { lawsOf } from 'kennel-id/contracts'
import openStore from './store.js'

const PORTS = /** @type {const} */ ([
  'accounts',
  'roles',
  'sessions',
  'proofs',
  'pets',
  'projects',
  'attempts',
  'audit',
  'mailQueue',
])
const laws = PORTS.flatMap((port) => lawsOf(port))

/** @param {(store: any) => Promise<void>} use */
async function onFreshStore(use) {
  const folder = await mkdtemp(join(tmpdir(), 'users-table-'))
  const store = await openStore(join(folder, 'users.db'), join(folder, 'kennel.db'))
  try {
    await use(store)
  } finally {
    await store.close()
    await rm(folder, { recursive: true })
  }
}

describe('the store based on the users table', () => {
  // Without this test, an empty list of laws would pass.
  it('is tested by at least one law', () => assert.ok(laws.length > 0))

  for (const law of laws) {
    it(`${law.port}: ${law.name}`, { timeout: 60_000 }, () => onFreshStore(law.check))
  }
})
