import { expect } from 'chai'
import * as fc from 'fast-check'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from '../../../../src/adapters/sqlite/driver.js'
import { MIGRATIONS } from '../../../../src/adapters/sqlite/schema.js'
import { openSqlite } from '../../../../src/adapters/sqlite/store.js'
import type { PetId } from '../../../../src/domain/catalogue/pet.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { account } from '../../../support/several-processes/samples.js'
import { startProcess, type OtherProcess } from '../../../support/several-processes/other-process.js'
import {
  ADDING_CHANGES,
  CHANGE_NAMES,
  fillStore,
  type StoreChange,
  makeChange,
  readEverything,
  sessionsAmong,
  storeChanges,
  uncachedPorts,
} from '../../../support/sqlite-changes.js'
import { COPY_METHODS, openWitness, type CopyMethod, type Witness } from '../../../support/sqlite-witness.js'
import { rounds } from '../../../support/rotation.js'
import { suiteFolder } from '../../../support/temporary-folder.js'
import { openDatabase } from '../../../../src/adapters/sqlite/database.js'

type Who = 'this process' | 'another process'
type Step =
  | readonly ['change', Who, StoreChange]
  | readonly ['compare', Who]
  | readonly ['copy' | 'restore', CopyMethod]

const who = fc.constantFrom<Who>('this process', 'another process')
const method = fc.constantFrom(...COPY_METHODS)
const changeAmong = (names: readonly string[]) =>
  fc.tuple(fc.constant('change' as const), who, fc.tuple(fc.constantFrom(...names), fc.nat(11)))
const change = changeAmong(CHANGE_NAMES)
const compare = fc.tuple(fc.constant('compare' as const), who)
const copyOrRestore = fc.tuple(fc.constantFrom('copy' as const, 'restore' as const), method)
const fewChanges = (minLength: number) => fc.array(change, { minLength, maxLength: 2 })

/** Changes made before and after a copy is restored; the journal may number the earlier and the later changes alike. */
const goingBack = fc
  .tuple(method, fc.oneof(fc.tuple(changeAmong(ADDING_CHANGES)), fewChanges(1)), compare, fewChanges(0))
  .map(([how, lost, seen, later]): readonly Step[] => [
    ...[['copy', how] as const, ...lost, seen],
    ...[['restore', how] as const, ...later, seen],
  ])

const oneStep: fc.Arbitrary<readonly Step[]> = fc.oneof(change, compare, copyOrRestore).map((one) => [one])
const steps = fc
  .array(fc.oneof(goingBack, oneStep), { minLength: 1, maxLength: 10 })
  .map((parts) => parts.flat())

/** Removes rows from the filled store, so that changes can add them again. */
const FEWER_ROWS = 'DELETE FROM sessions; DELETE FROM accounts WHERE id <> 2; DELETE FROM api_keys'

describe('a SQLite file that is replaced by an older copy while two processes use it', () => {
  const inFolder = suiteFolder()
  let filled: Uint8Array
  let other: OtherProcess
  let copier: OtherProcess
  let files = 0

  before(async () => {
    const path = inFolder('filled.db')
    const [store, sql] = [await openSqlite(path), await connect(path)]
    await fillStore({ store, sql })
    sql.exec(FEWER_ROWS)
    sql.close()
    await store.close()
    filled = readFileSync(path)
    ;[other, copier] = await Promise.all([startProcess('witness', ''), startProcess('copy', '')])
  })

  after(() => Promise.all([other.end(), copier.end()]))

  async function openOther(path: string): Promise<Witness> {
    const ask = (...message: readonly unknown[]) => other.ask(JSON.stringify(message))
    await ask('open', path)
    return {
      change: (one) => ask('change', one),
      staleAnswers: () => ask('staleAnswers'),
      close: () => ask('close'),
    }
  }

  async function makeEarlier(path: string, version: number): Promise<void> {
    const sql = await connect(path)
    for (const step of MIGRATIONS.slice(0, version)) sql.exec(step)
    sql.exec(`
      PRAGMA journal_mode = WAL; PRAGMA application_id = 1263423052; PRAGMA user_version = ${version};
      INSERT INTO pets (name, revision) VALUES ('Rex', 1)`)
    sql.close()
  }

  function createCopies(path: string) {
    const made = new Set<CopyMethod>()
    return async (step: 'copy' | 'restore', how: CopyMethod) => {
      const copy = `${path}-${how}`
      if (step === 'restore' && !made.has(how)) return
      made.add(how)
      await copier.ask(JSON.stringify([how, ...(step === 'copy' ? [path, copy] : [copy, path])]))
    }
  }

  async function play(played: readonly Step[]): Promise<void> {
    const path = inFolder(`${(files += 1)}.db`)
    writeFileSync(path, filled)
    const witnesses = { 'this process': await openWitness(path), 'another process': await openOther(path) }
    const copies = createCopies(path)
    const compared = async (one: Who) => expect(await witnesses[one].staleAnswers()).to.deep.equal([])
    try {
      for (const step of played) {
        if (step[0] === 'change') await witnesses[step[1]].change(step[2])
        else if (step[0] === 'compare') await compared(step[1])
        else await copies(...step)
      }
      await compared('this process')
      await compared('another process')
    } finally {
      await Promise.all(Object.values(witnesses).map((witness) => witness.close()))
    }
  }

  it('is read without stale rows from the cache', async () => {
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: rounds(20, 10) })
  })

  const detailOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).detail
  const BEFORE_UPGRADE =
    'The database file was replaced by a copy from before an upgrade: restart the service.'

  for (const [what, version] of [
    ['without the journal', 17],
    ['whose journal does not record added rows', 20],
  ] as const)
    it(`is unavailable until it is reopened if the copy has an earlier schema ${what}`, async () => {
      const path = inFolder(`schema ${version}.db`)
      await makeEarlier(path, version)
      await copier.ask(JSON.stringify(['pages', path, `${path}-copy`]))
      const store = await openSqlite(path)
      const before = await store.pets.find(1 as PetId)
      await copier.ask(JSON.stringify(['pages', `${path}-copy`, path]))
      const find = () => store.pets.find(1 as PetId)
      const details = [await detailOf(find()), await detailOf(find()), await detailOf(store.ready())]
      const first = store.accounts.insert(account('ann@example.org'))
      if (version === 17) details.push(await detailOf(first))
      else await first
      await store.close()
      const again = await openSqlite(path)
      const after = await again.pets.find(1 as PetId)
      await again.close()
      expect(new Set(details)).to.deep.equal(new Set([BEFORE_UPGRADE]))
      expect(after).to.deep.equal(before)
    })
})

const ROUNDS = 400

describe('cached rows of a SQLite file', () => {
  const inFolder = suiteFolder()

  for (const [who, isOwn] of [
    ['this store', true],
    ['another connection', false],
  ] as const)
    it(`are never older than the last change by ${who} in ${ROUNDS} random changes`, async () => {
      const path = inFolder(`${who}.db`)
      const [store, other, sql] = [await openSqlite(path), await openSqlite(path), await connect(path)]
      const database = await openDatabase(path)
      const reference = uncachedPorts(database)
      const writer = { store: isOwn ? store : other, sql }
      await fillStore(writer)
      let [hits, sessionHits] = [0, 0]
      let before = await readEverything(store)
      for (const change of storeChanges(1, ROUNDS)) {
        await makeChange(writer, change)
        const cached = await readEverything(store)
        expect(cached, JSON.stringify(change)).to.deep.equal(await readEverything(reference))
        const same = cached.filter((one, index) => one !== undefined && one === before[index])
        hits += same.length
        sessionHits += sessionsAmong(same)
        before = cached
      }
      sql.close()
      await Promise.all([store.close(), other.close(), database.close()])
      expect(sessionHits).to.be.greaterThan(ROUNDS)
      expect(hits - sessionHits).to.be.greaterThan(ROUNDS)
    })
})
