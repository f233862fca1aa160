import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ACTIONS } from '../../src/domain/access/components.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../src/domain/access/permissions.js'
import { PROJECT } from '../support/project.js'

const PAGE = 'docs/permissions.md'
const RESET = 'docs/password-reset.md'

const textOf = (page: string) => readFileSync(join(PROJECT, page), 'utf8')

/** The first file that a page writes. */
function fileOn(page: string): PermissionRules {
  const text = /permissions\.json <<'END'\n([^]*?)\nEND\n/.exec(textOf(page))?.[1] ?? 'null'
  return JSON.parse(text) as PermissionRules
}

describe('what the pages say of permissions', () => {
  it('is the built-in file, whole', () => {
    expect(fileOn(PAGE)).to.deep.equal(DEFAULT_PERMISSIONS)
  })

  it('is every component and action, and no other', () => {
    const rows = Array.from(
      textOf(PAGE).matchAll(/^\| `([\w-]+)` +\| `([\w-]+)` +\|/gm),
      ([, one, action]) => [one, action],
    )
    const all = Object.entries(ACTIONS).flatMap(([one, actions]) => actions.map((action) => [one, action]))
    expect(rows).to.deep.equal(all)
  })

  it('takes nothing away when resets are enabled', () => {
    const { everyone, ...others } = fileOn(RESET).roles
    const { everyone: before, ...othersBefore } = DEFAULT_PERMISSIONS.roles
    expect(others).to.deep.equal(othersBefore)
    expect(everyone?.components).to.deep.equal({
      ...before?.components,
      auth: [...(before?.components?.['auth'] ?? []), 'reset-password'],
    })
  })
})
