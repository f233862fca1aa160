import { expect } from 'chai'
import { useFakeTimers, type SinonFakeTimers } from 'sinon'
import { droppedLines } from '../../../src/adapters/pino/dropped-lines.js'
import { createOutput } from '../../../src/adapters/pino/output.js'
import { createLog } from '../../../src/adapters/pino/index.js'

const KIB = 1024
/** 1 KiB. */
const LINE = `${'x'.repeat(KIB - 1)}\n`
/** 1 KiB of text that ends like an audit record in the log. */
const AUDIT_LINE = `${'a'.repeat(KIB - 17)}"event":"audit"}\n`

/** A reader that accepts `room` bytes and then fails with the error `code`. */
function reader(room = 0, code = 'EAGAIN') {
  const ignore: () => void = () => undefined
  const state = { text: '', room, code, end: ignore }
  const output = createOutput(
    (bytes) => {
      if (state.room === 0) throw Object.assign(new Error(state.code), { code: state.code })
      const taken = Buffer.from(bytes).subarray(0, state.room)
      state.text += String(taken)
      state.room -= taken.length
      return taken.length
    },
    (act) => (state.end = act),
  )
  const dropped: number[] = []
  output.onResumed((count) => dropped.push(count))
  const before = droppedLines()
  return {
    ...{ output, state, dropped },
    /** Lets the reader continue, and waits for the next attempt; works only with the fake clock. */
    resume: (more = Infinity) => {
      state.room = more
      clock.tick(1_000)
    },
    /** The number of lines dropped since the last call, and how many of them were audit records. */
    lost: () => {
      const { lines, audit } = droppedLines()
      return [lines - before.lines, audit - before.audit]
    },
  }
}

let clock: SinonFakeTimers

describe('an output', () => {
  beforeEach(() => {
    clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    clock.restore()
  })

  for (const code of ['EAGAIN', 'ENOSPC'])
    it(`buffers whole lines in order until its stream accepts more (${code})`, () => {
      const { output, state, dropped, resume } = reader(6, code)
      for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
      expect(state.text).to.equal('one\ntw')
      resume(3)
      expect(state.text).to.equal('one\ntwo\nt')
      resume()
      expect([state.text, dropped]).to.deep.equal(['one\ntwo\nthree\n', []])
    })

  for (const [name, chunk, lines] of [
    ['lines', LINE, 1],
    ['pieces of several lines', LINE.repeat(3), 3],
    ['bytes', Buffer.from(LINE), 1],
  ] as const)
    it(`buffers at most 1 MiB and counts dropped lines (${name})`, () => {
      const { output, state, dropped, resume, lost } = reader()
      for (let n = 0; n < 2 * KIB; n += 1) output.write(chunk)
      const kept = Math.floor(KIB / lines)
      const others = (2 * KIB - kept) * lines
      expect([lost(), dropped]).to.deep.equal([[others, 0], []])
      resume()
      expect([state.text.length, dropped]).to.deep.equal([kept * lines * KIB, [others]])
      // A line is written before the call returns if the reader has capacity.
      output.write('again\n')
      expect([state.text.endsWith('again\n'), dropped]).to.deep.equal([true, [others]])
    })

  it('accepts a line longer than 1 MiB if no other line is waiting', () => {
    const { output, state, resume } = reader(1)
    output.write(LINE.repeat(2 * KIB))
    resume()
    expect(state.text.length).to.equal(2 * KIB * KIB)
  })

  for (const [name, filler] of [
    ['a flood of other lines', LINE],
    ['pieces with other lines', LINE.repeat(2) + AUDIT_LINE + LINE],
  ] as const)
    it(`has extra buffer space for 256 KiB of audit records after ${name}`, () => {
      const { output, state, resume } = reader()
      for (let n = 0; n < 2 * KIB; n += 1) output.write(filler)
      for (let n = 0; n < KIB; n += 1) output.write(LINE + AUDIT_LINE)
      resume()
      expect(state.text.length).to.equal(1280 * KIB)
      expect(state.text.endsWith(AUDIT_LINE.repeat(256))).to.equal(true)
    })

  it('reports that audit records are being lost, from the first dropped record until no line is waiting', () => {
    const { output, resume, lost } = reader()
    for (let n = 0; n < KIB + 256; n += 1) output.write(AUDIT_LINE)
    output.write(LINE)
    expect([output.isKeeping(), lost()]).to.deep.equal([true, [1, 0]])
    output.write(AUDIT_LINE)
    expect([output.isKeeping(), lost()]).to.deep.equal([false, [2, 1]])
    resume(1)
    expect(output.isKeeping()).to.equal(false)
    resume()
    expect(output.isKeeping()).to.equal(true)
  })

  it('stops writing after the reader has closed the pipe, and counts all further lines as dropped', () => {
    const { output, state, dropped, resume, lost } = reader(0, 'EPIPE')
    output.write('one\n')
    resume()
    output.write(`two\n${AUDIT_LINE}`)
    state.end()
    expect([state.text, dropped, output.isKeeping(), lost()]).to.deep.equal(['', [], false, [3, 1]])
  })

  it('counts the lines that were waiting when the reader closed the pipe as dropped lines', () => {
    const { output, state, resume, lost } = reader()
    output.write(AUDIT_LINE)
    output.write('two\nthree\n')
    state.code = 'EPIPE'
    resume(0)
    expect(lost()).to.deep.equal([3, 1])
  })

  describe('with a line that must not be lost', () => {
    beforeEach(() => {
      clock.restore()
    })

    it('writes the line after the waiting lines when the reader continues', async () => {
      const { output, state } = reader()
      output.write('one\n')
      const kept = output.keep('two\n')
      state.room = Infinity
      expect([await kept, state.text, output.isKeeping()]).to.deep.equal([true, 'one\ntwo\n', true])
    })

    for (const code of ['EAGAIN', 'ENOSPC', 'EPIPE'])
      it(`reports that the line was not written, and does not write the line later (${code})`, async () => {
        const { output, state } = reader(0, code)
        expect([await output.keep('one\n'), output.isKeeping()]).to.deep.equal([false, false])
        state.room = Infinity
        output.write('two\n')
        expect(state.text).to.equal(code === 'EPIPE' ? '' : 'two\n')
        expect(output.isKeeping()).to.equal(code !== 'EPIPE')
      })

    it('completes a partially written line and writes no line twice', async () => {
      const { output, state } = reader(2)
      const kept = output.keep('one\n')
      state.room = Infinity
      expect(await kept).to.equal(true)
      state.room = 2
      expect(await output.keep('two\n')).to.equal(false)
      state.room = Infinity
      await output.flushed(60_000)
      expect(state.text).to.equal('one\ntwo\n')
    })
  })

  it('does not block the exit if the reader has stalled or closed the pipe', () => {
    for (const code of ['EAGAIN', 'EPIPE', 'ENOSPC']) {
      const { output, state } = reader(0, code)
      output.write('one\n')
      state.end()
      output.write('two\n')
      expect(state.text).to.equal('')
    }
  })

  it('writes everything on exit, even if the reader accepts only a few bytes at a time', () => {
    let text = ''
    let end: () => void = () => undefined
    let isFull = false
    const output = createOutput(
      (bytes) => {
        isFull = !isFull
        if (!isFull) throw Object.assign(new Error('full'), { code: 'EAGAIN' })
        text += String(Buffer.from(bytes).subarray(0, 100))
        return Math.min(100, bytes.length)
      },
      (act) => (end = act),
    )
    output.write(LINE)
    end()
    output.write('last\n')
    expect(text).to.equal(`${LINE}last\n`)
  })

  it('resolves a flush when everything is written, or after the time limit', async () => {
    clock.restore()
    const { output, state } = reader()
    output.write('one\n')
    await output.flushed(1)
    expect(state.text).to.equal('')
    state.room = Infinity
    await output.flushed(60_000)
    expect(state.text).to.equal('one\n')
  })

  it('reports the number of dropped lines in a single log line', () => {
    const { output, state, resume } = reader()
    const log = createLog({ level: 'info', pretty: false, destination: output })
    for (let n = 0; n < 1_500; n += 1) log.info('filler', { detail: 'x'.repeat(1_000) })
    resume()
    const lines = state.text.trimEnd().split('\n')
    const { level, event, count } = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>
    expect([level, event]).to.deep.equal(['warn', 'log lines dropped'])
    expect(Number(count) + lines.length - 1).to.equal(1_500)
  })
})
