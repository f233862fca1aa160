import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { MongoClient } from 'mongodb'
import { watchPrimary, type PrimaryWatch } from '../../../src/adapters/mongodb/primary-watch.js'

type Question = { readonly answer: () => void; readonly fail: (error: Error) => void }

describe('the primary watch', () => {
  let client: EventEmitter
  let questions: Question[]
  let watch: PrimaryWatch
  let reads: string[]

  beforeEach(() => {
    client = new EventEmitter()
    questions = []
    reads = []
    const confirm = () => new Promise<void>((answer, fail) => questions.push({ answer, fail }))
    watch = watchPrimary(client as unknown as MongoClient, confirm)
  })

  /** Announces a server in the same way as the driver; each election has a separate ID. */
  function known(type: 'RSPrimary' | 'RSSecondary' | 'Standalone', election = 1): void {
    const electionId = { toHexString: () => String(election) }
    const server = { address: 'one:1', type, setVersion: 1, electionId }
    const newDescription = { servers: new Map([[server.address, server]]) }
    client.emit('topologyDescriptionChanged', { newDescription })
  }

  const readNow = (what: string) =>
    watch.read(async () => {
      reads.push(what)
      return what
    })

  async function answerAll(): Promise<void> {
    for (const question of questions) question.answer()
    await turn()
  }

  it('confirms a primary only once for concurrent and later reads', async () => {
    known('RSPrimary')
    const both = [readNow('a'), readNow('b')]
    await turn()
    expect(reads).to.deep.equal([])
    await answerAll()
    expect(await Promise.all(both)).to.deep.equal(['a', 'b'])
    known('RSPrimary')
    await readNow('c')
    expect(questions).to.have.length(1)
  })

  it('confirms nothing without a replica set or without a primary', async () => {
    await readNow('before any server is known')
    known('Standalone')
    await readNow('a standalone server')
    known('RSSecondary')
    await readNow('a copy')
    expect(questions).to.have.length(0)
  })

  it('confirms a primary again if it was lost and then found or elected again', async () => {
    known('RSPrimary')
    await Promise.all([readNow('a'), turn().then(answerAll)])
    known('RSSecondary')
    known('RSPrimary')
    await Promise.all([readNow('b'), turn().then(answerAll)])
    known('RSPrimary', 2)
    await Promise.all([readNow('c'), turn().then(answerAll)])
    expect(questions).to.have.length(3)
  })

  it('repeats a read during which the primary changed, as soon as the next primary is confirmed', async () => {
    known('RSPrimary')
    const answers = ['of the old one', 'of the new one']
    const reading = watch.read(async () => {
      const answer = answers.shift()
      if (answer === 'of the old one') known('RSPrimary', 2)
      return answer
    })
    await turn()
    await answerAll()
    expect(questions).to.have.length(2)
    expect(answers).to.deep.equal(['of the new one'])
    await answerAll()
    expect(await reading).to.equal('of the new one')
  })

  it('stops waiting for an unresponsive primary when another primary is elected', async () => {
    known('RSPrimary')
    const reading = readNow('a')
    await turn()
    known('RSPrimary', 2)
    await turn()
    expect(questions).to.have.length(2)
    questions[1]?.answer()
    expect(await reading).to.equal('a')
    expect(reads).to.deep.equal(['a'])
  })

  it('rejects reads that wait for a failed confirmation, and tries again for the next read', async () => {
    known('RSPrimary')
    const refused = readNow('a').catch((error: unknown) => String(error))
    await turn()
    questions[0]?.fail(new Error('no majority'))
    expect(await refused).to.equal('Error: no majority')
    const reading = readNow('b')
    await turn()
    questions[1]?.answer()
    expect(await reading).to.equal('b')
    expect(reads).to.deep.equal(['b'])
  })
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
