import { expect } from 'chai'
import type { Document } from 'mongodb'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import type { Store } from '../../src/ports/store.js'
import { draft } from '../support/pet-drafts.js'
import { isRefusal } from '../../src/domain/refusal.js'
import { describeWith } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { createLeftovers } from './leftovers.js'
import { type Node, command, startReplicaSet, type ReplicaSet } from './mongod.js'
import { createNetwork, type Network } from './network.js'

const KEY = { scope: 'tests', key: 'one', fingerprint: 'same', at: 0, until: 1 } as unknown as NonNullable<
  Parameters<Store['pets']['insert']>[1]
>

describeWith('mongod', 'a store during changes of the primary', () => {
  const leftovers = createLeftovers()
  const network: Network = createNetwork()
  let set: ReplicaSet
  let store: Store

  before(async () => {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    leftovers.add(network.close)
    set = await startReplicaSet(folder.path, {
      addressOf: (node) => network.add(node),
      obeysFailPoints: true,
    })
    leftovers.add(set.stop)
    await openMongo(set.url, { timeout: 30_000 }).then((one) => one.close())
    store = await openMongo(set.url, { timeout: 1_000, startTimeout: 60_000 })
    leftovers.add(() => store.close())
  })
  after(() => leftovers.clear())

  it('gets no unconfirmed result from an isolated primary', async () => {
    const primary = await set.primary()
    network.isolate(primary)
    const tries = [await insertion(), await insertion()]
    expect(tries).to.deep.equal(['unavailable', 'unavailable'])
    await elect(other(set, primary))
    network.heal()
    // The driver repeats the insert, so the insert may have succeeded even if it reports a duplicate.
    expect(await untilDone(insertion)).to.be.oneOf(['inserted', 'repeated'])
  })

  it('reads an acknowledged write from a new primary that does not yet know that the write is committed', async () => {
    const long = await openMongo(set.url, { timeout: 60_000 })
    leftovers.add(() => long.close())
    const primary = await set.primary()
    const next = other(set, primary)
    await failPoint(next, 'disableSnapshotting', 'alwaysOn')
    const { id } = (await long.pets.insert(draft('Rex'), undefined)) as { id: PetId }
    await elect(next)
    const reading = long.pets.find(id)
    await command(next, { ping: 1 })
    await failPoint(next, 'disableSnapshotting', 'off')
    expect((await reading)?.name).to.equal('Rex')
  })

  it('reads an earlier state only until its primary has noticed that it lost the other members', async () => {
    const { id } = (await store.pets.insert(draft('Rex'), undefined)) as { id: PetId }
    const primary = await set.primary()
    const next = other(set, primary)
    network.disturb(({ from, to }) => ({
      refuses: from === primary || (to === primary) === (from !== undefined),
    }))
    await elect(next)
    const elsewhere = await openMongo(`${next.url}kennel?directConnection=true`, { timeout: 30_000 })
    leftovers.add(() => elsewhere.close())
    await elsewhere.pets.remove(id)
    const read = async () => (await store.pets.find(id).catch(refusalCode))?.name ?? 'removed'
    const names: string[] = []
    while (names.at(-1) !== 'unavailable') names.push(await read())
    network.heal()
    while (names.at(-1) === 'unavailable') names.push(await read())
    expect(names.join(' ')).to.match(/^(Rex )*(unavailable )+removed$/)
  })

  async function insertion(): Promise<string> {
    try {
      return (await store.pets.insert(draft('Bello'), KEY)).kind
    } catch (error) {
      if (isRefusal(error)) return error.code
      throw error
    }
  }
})

function refusalCode(error: unknown): { readonly name: string } {
  if (isRefusal(error)) return { name: error.code }
  throw error
}

function other(set: ReplicaSet, primary: Node): Node {
  const found = set.nodes.find((node) => node !== primary && node !== set.readOnly)
  if (!found) throw new Error('there are two that may become primary')
  return found
}

/** Tries again until the member is elected, which requires all data of the other members. The test's timeout is the deadline. */
async function elect(node: Node): Promise<void> {
  for (;;) {
    await command(node, { replSetStepUp: 1 }).catch(() => undefined)
    if ((await command(node, { hello: 1 }))['isWritablePrimary'] === true) return
  }
}

async function untilDone(work: () => Promise<string>): Promise<string> {
  for (;;) {
    const outcome = await work()
    if (outcome !== 'unavailable') return outcome
  }
}

function failPoint(node: Node, configureFailPoint: string, mode: string): Promise<Document> {
  return command(node, { configureFailPoint, mode })
}
