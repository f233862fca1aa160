import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { restore, useFakeTimers } from 'sinon'
import { createHashThread } from '../../../src/adapters/imported-hashes/hash-thread.js'
import type { HashTask } from '../../../src/adapters/imported-hashes/in-thread/hash-task.js'
import { codeOf, refusalOf } from '../../support/refusal-of.js'

const HOUR = 3_600_000
const SETTING = '$2b$04$CCCCCCCCCCCCCCCCCCCCC.'
const TASK: HashTask = { kind: 'bcrypt', password: 'U*U', setting: SETTING }
/** Makes bcryptjs throw, which ends the thread. */
const BROKEN: HashTask = { ...TASK, setting: 'x' }
/** A task that would take minutes. */
const ENDLESS: HashTask = { ...TASK, setting: SETTING.replace('04', '20') }

const endOf = (thread?: Worker) => new Promise((resolve) => thread?.once('exit', resolve))
const textOf = async (result: Promise<Uint8Array>) => Buffer.from(await result).toString()

describe('the runner of the hash thread', () => {
  let threads: Worker[] = []
  const remember = (thread: Worker) => void threads.push(thread)

  beforeEach(() => {
    threads = []
    process.on('worker', remember)
  })
  afterEach(() => {
    process.off('worker', remember)
    restore()
  })

  it('refuses only the task whose thread has ended, and computes the others in another thread', async () => {
    const inThread = createHashThread({ timeout: HOUR, idle: HOUR })
    const [first, broken, next] = [TASK, BROKEN, TASK].map(inThread) as [
      ...[Promise<Uint8Array>, Promise<Uint8Array>, Promise<Uint8Array>],
    ]
    expect(await codeOf(broken)).to.equal('overloaded')
    expect(await textOf(next)).to.equal(await textOf(first))
  })

  it('refuses a task that takes too long, and terminates its thread', async () => {
    const inThread = createHashThread({ timeout: 2_000, idle: HOUR })
    expect(await refusalOf(inThread(ENDLESS))).to.include({
      code: 'overloaded',
      detail: 'the thread for imported hashes: no result after 2000 ms',
    })
    expect(await textOf(inThread(TASK))).to.match(/^\$2b\$04\$/)
  })

  it('terminates a thread after the given idle time, and starts another thread for the next task', async () => {
    const timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const inThread = createHashThread({ timeout: HOUR, idle: 10_000 })
    await inThread(TASK)
    timers.tick(9_999)
    await inThread(TASK)
    timers.tick(9_999)
    await inThread(TASK)
    expect(threads.length).to.equal(1)
    timers.tick(10_000)
    await endOf(threads[0])
    expect(await textOf(inThread(TASK))).to.match(/^\$2b\$04\$/)
    expect(threads.length).to.equal(2)
  })

  it('starts another thread after an idle thread has died from an error', async () => {
    const inThread = createHashThread({ timeout: HOUR, idle: HOUR })
    await inThread(TASK)
    threads[0]?.postMessage(BROKEN)
    await endOf(threads[0])
    expect(await textOf(inThread(TASK))).to.match(/^\$2b\$04\$/)
    expect(threads.length).to.equal(2)
  })

  it('computes a task that arrives while the idle thread is ending', async () => {
    const inThread = createHashThread({ timeout: HOUR, idle: 0 })
    for (let round = 0; round < 5; round += 1) {
      expect(await textOf(inThread(TASK))).to.match(/^\$2b\$04\$/)
      await turn()
    }
  })
})
