import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { REFUSAL_CODES } from '../../src/domain/refusal.js'
import { STATUS_OF } from '../../src/http/refusal-status.js'
import { PROJECT } from '../support/project.js'

describe('the page of the refusals', () => {
  it('lists every one with the status that our own routes answer', () => {
    const page = readFileSync(join(PROJECT, 'docs/embed/refusals.md'), 'utf8')
    const rows = page.matchAll(/^\| `([a-z-]+)` .*\| (\d{3}) +\|$/gm)
    const listed = Array.from(rows, ([, code, status]) => [code, Number(status)])
    expect(listed).to.deep.equal(REFUSAL_CODES.map((code) => [code, STATUS_OF[code]]))
  })
})
