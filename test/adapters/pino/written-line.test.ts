import { expect } from 'chai'
import { createLog } from '../../../src/adapters/pino/index.js'
import type { LogOptions } from '../../../src/adapters/pino/log.js'
import { readableFrom, writtenError } from '../../../src/adapters/pino/written-line.js'
import type { LogFields } from '../../../src/ports/log.js'
import { invalidToken, refuse, unavailable } from '../../../src/domain/refusal.js'

function written(options: Partial<LogOptions>, event: string, fields: LogFields): string {
  let lines = ''
  const destination = { write: (line: string) => (lines += line) }
  createLog({ level: 'info', pretty: false, ...options, destination }).info(event, fields)
  return lines
}

/** Removes the times, because those of two logs can differ by a millisecond. */
const timeless = (lines: string) => lines.replaceAll(/^\[[\d:.]+\] /gm, '')

describe('a line written by another process', () => {
  for (const [event, fields] of [
    ['request', { requestId: 'r', method: 'GET', route: '/v1/pets', status: 200, durationMs: 1.25 }],
    ['audit', { audit: { event: 'login', actor: 'account:1', outcome: 'success' } }],
    ['request failed', { error: new TypeError('Invalid URL', { cause: new Error('x') }) }],
  ] as const)
    it(`has the same readable form as a line of the current process: ${event}`, () => {
      const here = written({ pretty: true }, event, fields)
      expect(timeless(readableFrom(written({}, event, fields)))).to.equal(timeless(here))
    })

  it('is unchanged if it is not a log line', () => {
    const lines = 'a word\n{"half":\n\n{"level":"loud"}\nnull\n[]\n"text"\n7\n'
    expect(readableFrom(lines)).to.equal(lines)
  })
})

const CANARY = 'Canary-7'

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('an error in the log', () => {
  it('has its name and stack frames, but no message that may contain user input', () => {
    const written = writtenError(new Error(`query failed: ${CANARY}`))
    expect(written.name).to.equal('Error')
    expect(written).not.to.have.property('message')
    expect(written.stack?.[0]).to.match(/written-line\.test\.[jt]s:\d+:\d+/)
    expect(JSON.stringify(written)).not.to.include(CANARY)
  })

  it('keeps a message in which the JavaScript engine quotes source code but no data', () => {
    const nothing = {} as { roles?: { map: () => void }; list: Iterable<string>; go: () => void }
    const messages = [
      () => nothing.roles!.map(),
      () => nothing.go(),
      () => [...nothing.list],
      () => new URL('no url'),
      () => 'x'.repeat(2 ** 30),
    ].map((act) => writtenError(thrownBy(act)).message)
    expect(messages).to.deep.equal([
      "Cannot read properties of undefined (reading 'map')",
      'nothing.go is not a function',
      'nothing.list is not iterable',
      'Invalid URL',
      'Invalid string length',
    ])
  })

  it('contains no user input, even if the original message contains some', () => {
    const secret: unknown = CANARY
    const errors = [
      (): unknown => JSON.parse(CANARY),
      (): unknown => JSON.parse(`{"password": ${CANARY}}`),
      () => 'x' in (secret as object),
      () => BigInt(CANARY),
      () => new Map([secret as [string, string]]),
      () => Buffer.from(1 as unknown as string, CANARY as BufferEncoding),
      () => decodeURIComponent(`%${CANARY}`),
      () => new URL(CANARY),
      () => new Headers([['x', `${CANARY}\n\0`]]),
    ].map(thrownBy)
    for (const error of errors) expect(JSON.stringify(writtenError(error))).not.to.include(CANARY)
  })

  it('omits the properties that a driver added to the error, except the code and the system call name', () => {
    const driver = { keyValue: { email: CANARY }, query: CANARY, path: CANARY }
    for (const [members, expected] of [
      [{ code: 11000, syscall: CANARY }, { code: 11000 }],
      [
        { code: 'ECONNREFUSED', syscall: 'connect' },
        { code: 'ECONNREFUSED', syscall: 'connect' },
      ],
    ]) {
      const { stack: _, ...written } = writtenError(Object.assign(new Error(CANARY), driver, members))
      expect(written).to.deep.equal({ name: 'Error', ...expected })
    }
  })

  it('includes the message of a SQLite error', () => {
    const error = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR' })
    expect(writtenError(error).message).to.equal('database is locked')
  })

  it('includes the detail of a refusal, but not the messages for the caller', () => {
    const expected = { name: 'Refusal', code: 'invalid-token', message: 'wrong kid' }
    expect(writtenError(invalidToken('wrong kid'))).to.include(expected)
    const refusal = refuse('invalid', 'Format', `unknown member ${CANARY}`)
    expect(JSON.stringify(writtenError(refusal))).not.to.include(CANARY)
  })

  it('includes its causes, up to five levels deep', () => {
    const written = writtenError(unavailable('the store is away', new TypeError('Invalid URL')))
    expect(written.cause).to.include({ name: 'TypeError', message: 'Invalid URL' })
    const loop = new Error('loop')
    loop.cause = loop
    expect(JSON.stringify(writtenError(loop)).match(/"cause"/g)).to.have.lengthOf(5)
  })

  it('does not treat a line of its message as a stack frame', () => {
    const forged = new Error(`first\n    at ${CANARY} (file:1:1)\n    at ${CANARY}:1:1`)
    expect(JSON.stringify(writtenError(forged))).not.to.include(CANARY)
  })

  it('may be any value that was thrown', () => {
    expect(writtenError(CANARY)).to.deep.equal({ name: 'thrown string' })
    expect(writtenError(undefined)).to.deep.equal({ name: 'thrown undefined' })
    const hostile = new Proxy(new Error('x'), {
      get: () => {
        throw new Error(CANARY)
      },
    })
    expect(writtenError(hostile)).to.deep.equal({ name: 'unreadable error' })
    const misnamed = Object.assign(new Error('x'), { name: `${CANARY} and more`, code: `${CANARY} too` })
    expect(JSON.stringify(writtenError(misnamed))).not.to.include(CANARY)
  })
})
