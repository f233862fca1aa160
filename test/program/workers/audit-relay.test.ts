import { expect } from 'chai'
import { createOutput } from '../../../src/adapters/pino/output.js'
import {
  createAuditRelay,
  keepAuditOf,
  createSharedOutput,
} from '../../../src/program/workers/shared-output.js'
import type { ToPrimary, ToWorker } from '../../../src/program/workers/protocol.js'
import type { WorkerProcess } from '../../../src/program/workers/worker-process.js'

type Audit = Extract<ToPrimary, { kind: 'audit' }>

/** Connects a worker to a primary process. If `isGone`, the reader of the primary's output has closed the pipe. */
function connected({ pretty = false, isGone = false } = {}) {
  let text = ''
  const destination = createOutput(
    (bytes) => {
      if (isGone) throw Object.assign(new Error(), { code: 'EPIPE' })
      text += String(bytes)
      return bytes.length
    },
    () => undefined,
  )
  let hear: (message: Audit) => void = () => undefined
  const relay = createAuditRelay((message) => {
    hear(message as Audit)
  })
  const tell = (message: ToWorker) => {
    if (message.kind === 'audited') relay.hear(message)
  }
  const on = (_kind: string, listener: typeof hear) => (hear = listener)
  keepAuditOf({ on, tell } as unknown as WorkerProcess, createSharedOutput({ pretty, destination }))
  return { relay, text: () => text }
}

const LINE = '{"level":"info","time":"2026-01-01T00:00:00.000Z","event":"audit"}\n'

describe('the audit records of a worker', () => {
  it('are written by the primary', async () => {
    const { relay, text } = connected()
    expect(await Promise.all([relay.keep(LINE), relay.keep(LINE)])).to.deep.equal([true, true])
    expect([text(), await relay.isKeeping()]).to.deep.equal([LINE + LINE, true])
  })

  it('are made human-readable on a terminal', async () => {
    const { relay, text } = connected({ pretty: true })
    expect([await relay.keep(LINE), text().includes('{')]).to.deep.equal([true, false])
  })

  it("are not stored if the reader of the primary's output has closed the pipe", async () => {
    const { relay } = connected({ isGone: true })
    expect([await relay.keep(LINE), await relay.isKeeping()]).to.deep.equal([false, false])
  })

  it('are not stored if the primary does not respond', async () => {
    const relay = createAuditRelay(() => undefined, 1)
    expect([await relay.keep(LINE), await relay.isKeeping()]).to.deep.equal([false, false])
  })
})
