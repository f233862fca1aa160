import type { EventEmitter } from 'node:events'
import { expect } from 'chai'
import { workplaceOfTests } from './app.js'

function processState(): unknown {
  const { argv, env, exitCode, stdin } = process
  const write = Reflect.get(process.stdout, 'write') as unknown
  const listeners = [process, process.stdout, process.stderr].map(listenersOf)
  return [process.cwd(), argv, { ...env }, exitCode, stdin, write, listeners]
}

function listenersOf(emitter: EventEmitter): unknown {
  return emitter.eventNames().map((name) => [name, emitter.listeners(name)])
}

describe('a command that runs in the test process', () => {
  const place = workplaceOfTests({ shared: true })
  before(async () => {
    // Load modules before the comparison, because they stay loaded.
    await place.app(['role', 'list'])
  })

  it('leaves the process state unchanged after success, rejection or a usage error', async () => {
    const before = processState()
    for (const [args, status] of [
      [['user', 'import', '-'], 0],
      [['user', 'disable', 'unknown@example.com'], 1],
      [['user'], 0],
      [['user', 'promote'], 2],
    ] as const) {
      expect((await place.app(args)).code).to.equal(status)
      expect(processState()).to.deep.equal(before)
    }
  })

  it('is rejected while another command is running, and succeeds afterwards', async () => {
    const first = place.app(['role', 'list'])
    const second = await place.app(['role', 'list']).catch((error: unknown) => String(error))
    expect(second).to.contain('running in this process already')
    expect((await first).code).to.equal(0)
    expect((await place.app(['role', 'list'])).code).to.equal(0)
  })

  it('has its output searched for secrets', async () => {
    await place.app(['role', 'create', 'leaking', `kennel_${'k'.repeat(43)}`])
    const found = await place.app(['role', 'list']).catch((error: unknown) => String(error))
    expect(found).to.equal('Error: a secret appears in the output of app role list: API key')
  })
})
