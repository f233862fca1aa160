import { expect } from 'chai'
import fc from 'fast-check'
import { cellsOf } from '../../../../src/adapters/oclif/import/record.js'
import { createScanner, type SourceFormats } from '../../../../src/adapters/oclif/import/scanners.js'
import {
  RECORD_MAX_BYTES,
  splitRecords,
  STEP_RECORDS,
  type RawRecord,
} from '../../../../src/adapters/oclif/import/split.js'

const NEWLINE = 0x0a
const TOO_LONG = `the line is longer than ${RECORD_MAX_BYTES} bytes`

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

const inLines = (pieces: AsyncIterable<Uint8Array>) => splitRecords(pieces, createScanner({}))

async function recordsOf(
  pieces: AsyncIterable<Uint8Array>,
  formats: SourceFormats = {},
): Promise<RawRecord[]> {
  const found: RawRecord[] = []
  for await (const { records } of splitRecords(pieces, createScanner(formats))) found.push(...records)
  return found
}

const textsOf = (records: readonly RawRecord[]) =>
  records.map(({ line, content }) => [
    line,
    typeof content === 'string' ? content : Buffer.from(content).toString('latin1'),
  ])

/** The expected lines: the text between line breaks, without an empty line after the last line break. */
function splitWhole(whole: Uint8Array): (readonly [number, string])[] {
  const texts = Buffer.from(whole).toString('latin1').split('\n')
  if (texts.at(-1) === '') texts.pop()
  return texts.map((text, index) => [index + 1, text])
}

describe('splitRecords', () => {
  it('finds the same lines regardless of how the bytes are split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.nat(), { maxLength: 8 }), async (rest, cuts) => {
        const whole = Buffer.concat([Buffer.from('{}'), rest])
        expect(textsOf(await recordsOf(inPieces(whole, cuts)))).to.deep.equal(splitWhole(whole))
      }),
    )
  })

  for (const [bytesOfLine, count] of [
    [2, 40_000],
    [5_000, 50],
  ] as const)
    it(`splits ${count} lines of ${bytesOfLine} bytes into batches of at most 200 lines, each with its end position`, async () => {
      const whole = Buffer.from(`${'x'.repeat(bytesOfLine - 1)}\n`.repeat(count))
      let [read, before] = [0, 0]
      for await (const { records, position } of inLines(inPieces(whole, [100_000]))) {
        expect(records.length).to.be.at.most(STEP_RECORDS)
        expect(position - before).to.be.at.most(32 * 1024)
        read += records.length
        before = position
        expect(read).to.equal(Math.floor(position / bytesOfLine))
      }
      expect([read, before]).to.deep.equal([count, whole.length])
    })

  it('accepts a line of maximum length, drops a line that is one byte longer, and continues', async () => {
    const whole = Buffer.from(`${'a'.repeat(RECORD_MAX_BYTES)}\n${'b'.repeat(RECORD_MAX_BYTES + 1)}\nlast`)
    const records = await recordsOf(inPieces(whole, [10, RECORD_MAX_BYTES + 5, 2 * RECORD_MAX_BYTES + 1]))
    expect(records.map(({ line, content }) => [line, content.length])).to.deep.equal([
      [1, RECORD_MAX_BYTES],
      [2, TOO_LONG.length],
      [3, 4],
    ])
  })

  it('holds at most one chunk and one line in memory while it reads an endless line', async () => {
    const mebibyte = 1024 * 1024
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 250; count += 1) yield await Promise.resolve(Buffer.alloc(mebibyte, 'x'))
    }
    const before = process.memoryUsage().arrayBuffers
    let highest = 0
    for await (const { records } of inLines(endless())) {
      expect(records.every(({ content }) => content === TOO_LONG)).to.equal(true)
      highest = Math.max(highest, process.memoryUsage().arrayBuffers - before)
    }
    // Up to 140 MiB may be discarded data that was not garbage-collected yet; retained data would take 250 MiB.
    expect(highest / mebibyte).to.be.lessThan(220)
  })

  it('finds the same objects and rows regardless of how the bytes are split into chunks', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '\n', '[', ']', '{', '}', 'é') })
    const objects = fc.array(fc.record({ email: text, more: fc.array(text, { maxLength: 2 }) }))
    const cuts = fc.array(fc.nat(), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(objects, cuts, fc.constantFrom(undefined, 1), async (list, places, space) => {
        const realm = { realm: 'users', nested: { users: [1] }, users: list, roles: ['users', {}] }
        const whole = Buffer.from(JSON.stringify(realm, null, space))
        const found = await recordsOf(inPieces(whole, places), { key: 'users' })
        const texts = found.map(({ content }) => Buffer.from(content as Uint8Array).toString())
        expect(texts.filter((one) => one !== '').map((one) => JSON.parse(one) as unknown)).to.deep.equal(list)
        const rows = list.map(
          ({ email }) => `${JSON.stringify(email).length},"${email.replaceAll('"', '""')}"`,
        )
        const table = Buffer.from(['"n",email', ...rows].join('\r\n'))
        const [, ...cells] = await recordsOf(inPieces(table, places), { csv: 'email' })
        const read = cells.map(({ content }) => cellsOf(Buffer.from(content as Uint8Array).toString())?.[1])
        expect(read).to.deep.equal(list.map(({ email }) => email))
      }),
    )
  })

  it('reports the first line and the number of each object', async () => {
    const whole = Buffer.from('[\n{"a":\n1},\n\n {"b": "x\\"],"}]')
    const records = await recordsOf(inPieces(whole, []))
    expect(records.map(({ line, object }) => [line, object])).to.deep.equal([
      [2, 1],
      [5, 2],
    ])
  })
})
