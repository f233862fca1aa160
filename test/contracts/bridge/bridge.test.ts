import { join } from 'node:path'
import { expect } from 'chai'
import { STORE_CALLS } from '../../../src/ports/calls/store.js'
import { PLANTED } from '../../simulation/planted.js'
import { runScript, textOf } from '../../support/project.js'
import { lawAgainst } from './planted.js'

/** The built project, so that the script reads the modules that were compiled with this test. */
const BUILT = join(import.meta.dirname, '..', '..', '..')
const SCRIPT = 'scripts/write-assumption-tables.js'

/** The calls on the page, each with the law of its effect and the law of its atomicity. */
const ROWS = Array.from(
  textOf('docs', 'contribute', 'store-assumptions.md').matchAll(/^\| `(\S+)` +\|(.*)\|(.*)\|$/gm),
  ([, call = '', effect = '', atomicity = '']) => ({
    call,
    effect: effect.trim(),
    atomicity: atomicity.trim(),
  }),
)
const nameOf = ({ call }: (typeof ROWS)[number]) => call

function kindOf(call: string): string | undefined {
  const [port = '', name = ''] = call.split('.')
  const calls = STORE_CALLS as Readonly<Record<string, Readonly<Record<string, { kind: string }>>>>
  return calls[port]?.[name]?.kind
}

describe('the laws show the assumptions of the simulator', () => {
  it('as the page says, which equals the output of its script', async () => {
    expect(await runScript(SCRIPT, ['--check', BUILT])).to.deep.equal({ status: 0, lines: [''] })
  })

  it('for every call: a read sees earlier writes, and an acknowledged write is made', () => {
    expect(ROWS).to.have.lengthOf.above(60)
    expect(ROWS.filter(({ effect }) => effect === '').map(nameOf)).to.deep.equal([])
  })

  it('for every write: concurrent calls are each made', () => {
    const writes = ROWS.filter(({ call }) => kindOf(call) !== 'read')
    expect(writes).to.have.lengthOf.above(40)
    expect(writes.filter(({ atomicity }) => atomicity === '').map(nameOf)).to.deep.equal([])
  })

  for (const [name, bug] of Object.entries(PLANTED)) {
    it(`and a law notices it if ${name}`, async () => {
      expect(await lawAgainst(bug)).to.not.equal(undefined)
    })
  }
})
