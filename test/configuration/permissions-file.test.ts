import { expect } from 'chai'
import { ACTIONS, type Component } from '../../src/domain/access/components.js'
import { DEFAULT_PERMISSIONS, type Permissions } from '../../src/domain/access/permissions.js'
import { parsePermissions } from '../../src/configuration/permissions-file.js'
import { linesOf } from './reading.js'

/** Texts that a table cannot hold. */
const MARKS: Readonly<Record<string, string>> = {
  '<empty>': '',
  '<space>': ' ',
  '<newline>': '\n',
  '<NUL>': '\u0000',
  '<BOM>': '\uFEFF',
  '<10000 deep>': `${'{"roles":'.repeat(10_000)}{}${'}'.repeat(10_000)}`,
  '<built in>': JSON.stringify(DEFAULT_PERMISSIONS),
}

function textOf(cell: string): string {
  return Object.entries(MARKS).reduce((text, [mark, meaning]) => text.replaceAll(mark, meaning), cell)
}

function grantedBy(permissions: Permissions): string {
  const all = Object.entries(ACTIONS).flatMap(([component, actions]) =>
    actions.map((action) => [
      `${component}:${action}`,
      permissions.grantedTo(component as Component, action),
    ]),
  )
  return JSON.stringify(Object.fromEntries(all.filter(([, to]) => to !== 'nobody')))
}

describe('a permission file from the tables of test cases', () => {
  it('is rejected with the error messages in the table', () => {
    const lines = linesOf('test/configuration/wrong-permissions.tsv')
    const found = lines.map((line) => {
      const [cell = ''] = line.split('\t')
      const outcome = parsePermissions(textOf(cell))
      const said = outcome.ok
        ? ['ACCEPTED']
        : outcome.errors.map(({ path, rule }) => `${path} ${rule}`.trim())
      return [cell, ...said].join('\t')
    })
    expect(lines).to.have.length.above(80)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
    expect({}).not.to.have.property('inherit')
  })

  it('is compiled to the permissions in the table', () => {
    const lines = linesOf('test/configuration/accepted-permissions.tsv')
    const found = lines.map((line) => {
      const [cell = ''] = line.split('\t')
      const outcome = parsePermissions(textOf(cell))
      if (!outcome.ok) return `${cell}\tREFUSED`
      return [cell, grantedBy(outcome.permissions), JSON.stringify(outcome.permissions.roles)].join('\t')
    })
    expect(lines).to.have.length.above(8)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })
})
