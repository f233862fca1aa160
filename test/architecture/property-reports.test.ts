import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { expect } from 'chai'
import * as fc from 'fast-check'
import { PROJECT } from '../support/project.js'
import { propertyError } from '../support/property-reports.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')

describe('the report of a failed property', () => {
  const place = temporaryFolder()
  const errorOf = <Ts>(property: fc.IProperty<Ts>) => propertyError(fc.check<Ts>(property, { seed: 7 }))
  const messageOf = <Ts>(property: fc.IProperty<Ts>) => errorOf(property)?.message

  it('contains the reason, the example, and the seed and path to repeat the run', () => {
    const message = messageOf(
      fc.property(fc.nat(), (count) => {
        if (count > 9) throw new RangeError(`too many: ${count}`)
      }),
    )
    expect(message).to.match(
      /^the property does not hold: RangeError: too many: 10\nafter \d+ runs and \d+ steps/,
    )
    expect(message).to.match(/\n\{ seed: 7, path: "[\d:]+", endOnFailure: true \}\non \[10\]$/)
  })

  it('contains the full compared values and the causes of the error', () => {
    const compared = { a: 'a long text that chai cuts off', b: [1, 2, 3], c: 'and another one' }
    const message = messageOf(
      fc.property(fc.constant(1), () => {
        expect(compared).to.deep.equal({ ...compared, b: [1, 2] })
      }),
    )
    expect(message).to.include(`\nactual: ${fc.stringify(compared)}\nexpected: {"a":"a long text`)
    const cause = new Error('upset', { cause: new TypeError('below') })
    const thrown = fc.property(fc.constant(1), () => {
      throw cause
    })
    expect(messageOf(thrown)).to.include('not hold: Error: upset\ncaused by TypeError: below\nafter')
  })

  it('shows a long example with one line per entry', () => {
    const long = { name: 'x'.repeat(60), traits: ['y'.repeat(60), 'short'], age: 3 }
    const example = `on [
  {
    "name": "${'x'.repeat(60)}",
    "traits": ["${'y'.repeat(60)}","short"],
    "age": 3,
  },
]`
    expect(messageOf(fc.property(fc.constant(long), () => false))).to.include(example)
  })

  it('contains the stack of the failure', () => {
    const failing = fc.property(fc.nat(), () => {
      throw new Error('here')
    })
    const [first] = /^ +at .*/m.exec(errorOf(failing)?.stack ?? '') ?? []
    expect(first).to.include('property-reports.test')
  })

  it("is fast-check's own report if no example failed, and is omitted if the property holds", () => {
    const unfit = fc.property(fc.nat(), () => fc.pre(false))
    expect(messageOf(unfit)).to.match(/^Failed to run property, too many pre-condition failures/)
    expect(errorOf(fc.property(fc.nat(), () => true))).to.equal(undefined)
  })

  it('is printed by the reporter for tests that run in parallel', async () => {
    const test = `import * as fc from ${JSON.stringify(import.meta.resolve('fast-check'))}
      it('sync', () => fc.assert(fc.property(fc.nat(), (n) => { if (n > 9) throw new Error('too many: ' + n) })))
      it('async', () => fc.assert(fc.asyncProperty(fc.nat(), async (n) => { if (n > 9) throw new Error('late: ' + n) })))`
    const files = [place('one.test.mjs'), place('other.test.mjs')]
    for (const file of files) await writeFile(file, test)
    const env = { ...process.env, TEST_SERVERS: 'none' }
    const args = [MOCHA, '--parallel', '--jobs', '2', '--reporter', 'spec', ...files]
    const outcome = promisify(execFile)(process.execPath, args, { cwd: PROJECT, env })
    const { stdout } = await outcome.catch((error: unknown) => error as { readonly stdout: string })
    expect(stdout.match(/not hold: Error: too many: 10\n/g)).to.have.length(2)
    expect(stdout.match(/not hold: Error: late: 10\n/g)).to.have.length(2)
  })
})
