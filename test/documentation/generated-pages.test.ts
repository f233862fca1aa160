import { expect } from 'chai'
import { REFUSAL_CODES } from '../../src/domain/refusal.js'
import { STATUS_OF } from '../../src/http/refusal-status.js'
import { runScript, textOf } from '../support/project.js'

describe('the generated files', () => {
  it('are current', async () => {
    const ending = await runScript('scripts/generate.js', ['--check'])
    expect(ending).to.deep.equal({ status: 0, lines: [''] })
  })
})

describe('the page of error codes', () => {
  it('lists every code with its HTTP status', () => {
    const rows = pageOf('refusals.md').matchAll(/^\| `([a-z-]+)` .*\| (\d{3}) +\|$/gm)
    const listed = Array.from(rows, ([, code, status]) => [code, Number(status)])
    expect(listed).to.deep.equal(REFUSAL_CODES.map((code) => [code, STATUS_OF[code]]))
  })
})

function pageOf(name: string): string {
  return textOf('docs', 'embed', name)
}
