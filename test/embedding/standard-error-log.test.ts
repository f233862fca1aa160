import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createHandler } from '../../src/adapters/web/index.js'
import { openMemoryKennel } from '../support/http/memory-kennel.js'
import { collectingLog } from '../support/log-collector.js'

const MAIN = fileURLToPath(new URL('./standard-error-log-main.js', import.meta.url))

describe('a Kennel without a `log` option, or with a `log` that throws', () => {
  it('writes its warnings and errors to standard error, and nothing to standard output', async () => {
    const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
    const lines = errors.match(/^\[[\d:.]+\] .*$/gm)?.map((line) => line.replace(/^\S+ /, ''))
    expect([output, lines], errors).to.deep.equal([
      '',
      [
        ...['WARN: configuration', 'WARN: configuration', 'WARN: configuration'],
        ...['WARN: email cannot be sent', 'ERROR: reply failed'],
        ...['ERROR: a custom log failed', 'WARN: configuration'],
      ],
    ])
    expect(errors).to.include('loginLimit is off').and.include('the server is away').and.include('TypeError')
  })
})

describe('the log of a Kennel', () => {
  it('is also used by its handlers unless they are created with a different log', async () => {
    const [own, other] = [collectingLog(), collectingLog()]
    const kennel = await openMemoryKennel({ parts: { log: own.log } })
    const request = () => new Request('http://127.0.0.1:3000/nothing')
    await createHandler(kennel)(request())
    expect([own.requests.length, other.requests.length]).to.deep.equal([1, 0])
    await createHandler(kennel, { log: other.log })(request())
    expect([own.requests.length, other.requests.length]).to.deep.equal([1, 1])
    await kennel.close()
  })

  it('does not fail requests or calls if the log throws', async () => {
    const { log } = collectingLog()
    const throwing = () => {
      throw new Error('the log is broken')
    }
    const own = collectingLog()
    const kennel = await openMemoryKennel({ parts: { log: own.log } })
    const handler = createHandler(kennel, { log: { ...log, info: throwing, enabled: throwing } })
    expect((await handler(new Request('http://127.0.0.1:3000/nothing'))).status).to.equal(404)
    expect(own.lines.map(({ event }) => event)).to.include('a custom log failed')
    await kennel.close()
  })
})
