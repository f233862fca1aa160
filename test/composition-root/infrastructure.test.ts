import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { SILENT_LOG } from '../../src/ports/log.js'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import {
  infrastructureOf,
  shareOf,
  limitPreviousAccounts,
} from '../../src/composition-root/infrastructure.js'
import { hostMachine } from '../../src/configuration/environment.js'
import { ConfigurationError } from '../../src/configuration/sentence.js'
import type { Password } from '../../src/domain/identity/password.js'
import { PRODUCTION, settingsOf } from '../configuration/reading.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { PreviousAccounts } from '../../src/ports/callbacks.js'
import { refusalOf } from '../support/refusal-of.js'

const PARTS = { store: createMemoryStore(), log: SILENT_LOG }

describe('a limit that is divided equally among processes', () => {
  it('is rounded up in each process, to at least 1', () => {
    expect([shareOf(10, 4), shareOf(4, 4), shareOf(1, 4), shareOf(9, 1)]).to.deep.equal([3, 1, 1, 9])
  })

  it('applies to concurrent and waiting password hashes', () => {
    const hashing = (workers: number, texts = {}) => {
      const { concurrency, queue } = infrastructureOf(settingsOf(texts), { ...PARTS, workers }).hashing
      return { concurrency, queue }
    }
    const explicit = { PASSWORD_HASH_CONCURRENCY: '6' }
    expect(hashing(1, explicit)).to.deep.equal({ concurrency: 6, queue: 64 })
    expect(hashing(4, explicit)).to.deep.equal({ concurrency: 2, queue: 16 })
    // With one process per core, each process computes one hash at a time, although libuv permits more.
    const { cores } = hostMachine()
    expect(hashing(cores)).to.deep.equal({ concurrency: 1, queue: shareOf(64, cores) })
  })
})

describe('the forbidden passwords of PASSWORD_BLOCKLIST', () => {
  const inFolder = temporaryFolder()
  const blocklist = (PASSWORD_BLOCKLIST: string) =>
    infrastructureOf(settingsOf({ ...PRODUCTION, PASSWORD_BLOCKLIST }), PARTS).passwordBlocklist

  it('are the most common passwords, the names of the service, and the passwords in the file', async () => {
    writeFileSync(inFolder('more.txt'), 'Compiler of Mark I\r\n')
    for (const [list, password, objection] of [
      ['on', 'Password123', 'too-common'],
      ['on', 'pets-2026', 'too-close-to-context'],
      ['on', 'kennel!!', 'too-close-to-context'],
      ['on', 'compiler of mark i', undefined],
      [inFolder('more.txt'), 'Password123', 'too-common'],
      [inFolder('more.txt'), 'compiler of mark i', 'too-common'],
    ] as const)
      expect(await blocklist(list)?.refuses(password as Password, {}), password).to.equal(objection)
    expect(blocklist('off')).to.equal(undefined)
  })

  it('cannot be loaded from a file with an invalid line, and the error names the file and the line number', () => {
    const file = inFolder('table.txt')
    writeFileSync(file, 'one\ntwo\t2\n')
    expect(() => blocklist(file)).to.throw(
      ConfigurationError,
      `PASSWORD_BLOCKLIST: the file ${file} line 2 has a control character`,
    )
  })
})

const LOGIN = ['ada@example.com' as Email, 'a quiet river'] as const

describe('a call to the previous system', () => {
  it('rejects after the time limit, and its signal is aborted', async () => {
    const calls: unknown[][] = []
    const verify: PreviousAccounts['verify'] = async (email, password, signal) => {
      calls.push([email, password, signal.aborted, signal])
      return await new Promise<never>(() => undefined)
    }
    const refusal = await refusalOf(limitPreviousAccounts({ verify }, 1).verify(...LOGIN))
    expect(refusal).to.include({ detail: 'The previous login server did not answer in time.' })
    expect(calls.map((call) => call.slice(0, 3))).to.deep.equal([[...LOGIN, false]])
    expect(calls[0]?.[3]).to.include({ aborted: true, reason: refusal })
  })
})
