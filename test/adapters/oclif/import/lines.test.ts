import { expect } from 'chai'
import fc from 'fast-check'
import {
  LINE_MAX_BYTES,
  readLines,
  STEP_LINES,
  type Line,
} from '../../../../src/adapters/oclif/import/lines.js'

const NEWLINE = 0x0a

/** Bytes in which line breaks are as frequent as any other byte. */
const bytes = fc
  .array(fc.oneof(fc.constant(NEWLINE), fc.integer({ min: 0, max: 255 })), { maxLength: 60 })
  .map((numbers) => Uint8Array.from(numbers))

async function* inPieces(whole: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [...cuts.map((cut) => cut % (whole.length + 1)), whole.length].toSorted((a, b) => a - b)
  let begin = 0
  for (const end of places) {
    yield await Promise.resolve(whole.subarray(begin, end))
    begin = end
  }
}

async function linesOf(pieces: AsyncIterable<Uint8Array>): Promise<Line[]> {
  const found: Line[] = []
  for await (const { lines } of readLines(pieces)) found.push(...lines)
  return found
}

const textsOf = (lines: readonly Line[]) =>
  lines.map(({ number, bytes: held }) => [number, held && Buffer.from(held).toString('latin1')])

/** The lines by definition: the text between line breaks, without an empty text after the last line break. */
function splitWhole(whole: Uint8Array): (readonly [number, string])[] {
  const texts = Buffer.from(whole).toString('latin1').split('\n')
  if (texts.at(-1) === '') texts.pop()
  return texts.map((text, index) => [index + 1, text])
}

describe('readLines', () => {
  it('finds the same lines regardless of how the bytes are split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.nat(), { maxLength: 8 }), async (whole, cuts) => {
        expect(textsOf(await linesOf(inPieces(whole, cuts)))).to.deep.equal(splitWhole(whole))
      }),
    )
  })

  it('reports with each chunk how many bytes have been read', async () => {
    const positions: number[] = []
    const pieces = inPieces(Buffer.from('one\ntwo\nthree'), [2, 6])
    for await (const { position } of readLines(pieces)) positions.push(position)
    expect(positions).to.deep.equal([2, 6, 13, 13])
  })

  for (const [bytesOfLine, count] of [
    [1, 40_000],
    [33, 1_001],
    [5_000, 50],
  ] as const)
    it(`splits ${count} lines of ${bytesOfLine} bytes into batches of at most 200 lines, each with its end position`, async () => {
      const whole = Buffer.from(`${'x'.repeat(bytesOfLine - 1)}\n`.repeat(count))
      let [read, before] = [0, 0]
      for await (const { lines, position } of readLines(inPieces(whole, [100_000]))) {
        expect(lines.length).to.be.at.most(STEP_LINES)
        expect(position - before).to.be.at.most(32 * 1024)
        read += lines.length
        before = position
        expect(read).to.equal(Math.floor(position / bytesOfLine))
      }
      expect([read, before]).to.deep.equal([count, whole.length])
    })

  it('accepts a line of maximum length, drops a line that is one byte longer, and continues', async () => {
    const whole = Buffer.from(`${'a'.repeat(LINE_MAX_BYTES)}\n${'b'.repeat(LINE_MAX_BYTES + 1)}\nlast`)
    const lines = await linesOf(inPieces(whole, [10, LINE_MAX_BYTES + 5, 2 * LINE_MAX_BYTES + 1]))
    expect(lines.map((line) => [line.number, line.bytes?.length])).to.deep.equal([
      [1, LINE_MAX_BYTES],
      [2, undefined],
      [3, 4],
    ])
  })

  it('drops a last line that is too long and does not end with a line break', async () => {
    const lines = await linesOf(inPieces(Buffer.alloc(LINE_MAX_BYTES + 1, 'b'), [1]))
    expect(lines).to.deep.equal([{ number: 1, bytes: undefined }])
  })

  it('holds at most one chunk and one line in memory when it reads an endless line', async () => {
    const mebibyte = 1024 * 1024
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 500; count += 1) yield await Promise.resolve(Buffer.alloc(mebibyte, 'x'))
    }
    const before = process.memoryUsage().arrayBuffers
    let highest = 0
    for await (const { lines } of readLines(endless())) {
      expect(lines.every((line) => line.bytes === undefined)).to.equal(true)
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before)
    }
    // Up to 140 MiB may be discarded data that was not garbage-collected yet; retained data would take 500 MiB.
    expect(highest / mebibyte).to.be.lessThan(300)
  })
})
