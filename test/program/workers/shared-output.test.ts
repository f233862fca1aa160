import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { createOutput } from '../../../src/adapters/pino/output.js'
import {
  createSharedOutput,
  createAuditRelay,
  keepAuditOf,
} from '../../../src/program/workers/shared-output.js'
import type { ToPrimary, ToWorker } from '../../../src/program/workers/protocol.js'
import type { WorkerProcess } from '../../../src/program/workers/worker-process.js'

/** A reader that accepts all output; if `begun` is false, it stalls until `begin` is called. */
function taken({ begun = true } = {}) {
  let text = ''
  let isReading = begun
  const destination = createOutput(
    (bytes) => {
      if (!isReading) throw Object.assign(new Error('full'), { code: 'EAGAIN' })
      text += String(bytes)
      return bytes.length
    },
    () => undefined,
  )
  return { destination, text: () => text, begin: () => (isReading = true) }
}

/** Waits for enough event loop turns to complete every transfer that does not wait for a reader. */
async function settled(): Promise<void> {
  for (let n = 0; n < 50; n += 1) await turn()
}

const nothingCut = (beginning: string) => {
  throw new Error(`cut: ${beginning}`)
}

describe('the shared output of several processes', () => {
  it('contains the complete lines of each process in order, even if a line arrives in pieces', async () => {
    const { destination, text } = taken()
    const output = createSharedOutput({ pretty: false, destination })
    const sources = ['a', 'b', 'c'].map((name) => ({ name, stream: new PassThrough() }))
    const ends = sources.map(({ stream }) => output.passOn(stream, nothingCut))
    const lines = (name: string) =>
      Array.from({ length: 200 }, (_, n) => `${name} ${n} ${'ä🐈'.repeat(n % 17)}\n`)
    const pieces = sources.map(({ name, stream }) => ({ stream, bytes: Buffer.from(lines(name).join('')) }))
    // Writes pieces of 1 to 61 bytes for each process in turn.
    for (
      let at = 0, size = 1;
      pieces.some(({ bytes }) => at < bytes.length);
      at += size, size = (size * 7) % 61 || 1
    ) {
      for (const { stream, bytes } of pieces) stream.write(bytes.subarray(at, at + size))
      await turn()
    }
    for (const { stream } of sources) stream.end()
    await Promise.all(ends)
    await output.flushed(10_000)
    const all = text().split('\n').slice(0, -1)
    expect(all).to.have.length(600)
    for (const { name } of sources)
      expect(all.filter((line) => line.startsWith(`${name} `)).map((line) => `${line}\n`)).to.deep.equal(
        lines(name),
      )
  })

  it('does not split a line that is longer than any buffer', async () => {
    const { destination, text } = taken()
    const output = createSharedOutput({ pretty: false, destination })
    const [one, two] = [new PassThrough(), new PassThrough()]
    const ends = [output.passOn(one, nothingCut), output.passOn(two, nothingCut)]
    const long = 'x'.repeat(200_000)
    one.write(long.slice(0, 150_000))
    two.write('between\n')
    await settled()
    expect(text()).to.equal('between\n')
    one.end(`${long.slice(150_000)}\n`)
    two.end()
    await Promise.all(ends)
    await output.flushed(10_000)
    expect(text()).to.equal(`between\n${long}\n`)
  })

  it('omits the unfinished line of a killed process and reports the omission', async () => {
    const { destination, text } = taken()
    const output = createSharedOutput({ pretty: false, destination })
    const cut: string[] = []
    const [ended, broken] = [new PassThrough(), new PassThrough()]
    const ends = [ended, broken].map((one) => output.passOn(one, (beginning) => cut.push(beginning)))
    ended.end('whole\n{"half":')
    broken.write('whole too\n')
    await settled()
    broken.destroy(new Error('read ECONNRESET'))
    await Promise.all(ends)
    output.write('own\n')
    await output.flushed(10_000)
    expect([text(), cut]).to.deep.equal(['whole\nwhole too\nown\n', ['{"half":']])
  })

  it('does not block a process if the reader has stalled, and buffers at most 1 MiB', async () => {
    const { destination, text, begin } = taken({ begun: false })
    const output = createSharedOutput({ pretty: false, destination })
    const dropped: number[] = []
    output.onResumed((count) => dropped.push(count))
    const line = `${'x'.repeat(1_023)}\n`
    const sources = [new PassThrough(), new PassThrough()]
    const ends = sources.map((source) => output.passOn(source, nothingCut))
    for (const source of sources) source.end(line.repeat(1_024))
    await Promise.all(ends)
    for (let n = 0; n < 1_024; n += 1) output.write(line)
    begin()
    await output.flushed(60_000)
    const lines = text().length / line.length
    expect(lines).to.be.within(512, 1_024)
    expect(dropped).to.deep.equal([3 * 1_024 - lines])
  })

  it('is human-readable on a terminal', async () => {
    const { destination, text } = taken()
    const output = createSharedOutput({ pretty: true, destination })
    const source = new PassThrough()
    const end = output.passOn(source, nothingCut)
    source.end(
      '{"level":"info","time":"2026-01-02T03:04:05.678Z","worker":1,"event":"request","method":"GET"}\n',
    )
    await end
    await output.flushed(10_000)
    expect(text()).to.equal('[03:04:05.678] INFO: request GET {"worker":1}\n')
  })
})

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
