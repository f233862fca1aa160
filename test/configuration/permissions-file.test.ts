import { expect } from 'chai'
import { ACTIONS, type Component } from '../../src/domain/access/components.js'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import type { Permissions } from '../../src/domain/access/permissions.js'
import { parsePermissions } from '../../src/configuration/permissions-file.js'
import { linesOf } from './reading.js'

type Outcome = ReturnType<typeof parsePermissions>

/** Strings that a table file cannot contain, keyed by placeholder. */
const MARKS: Readonly<Record<string, string>> = {
  '<empty>': '',
  '<space>': ' ',
  '<newline>': '\n',
  '<NUL>': '\u0000',
  '<BOM>': '\uFEFF',
  '<10000 deep>': `${'{"roles":'.repeat(10_000)}{}${'}'.repeat(10_000)}`,
  '<built in>': JSON.stringify(DEFAULT_PERMISSIONS),
}

/** The lists of names that replace these placeholders in the expected messages. */
const NAMES: Readonly<Record<string, string>> = {
  '<components>': Object.keys(ACTIONS).join(', '),
  ...Object.fromEntries(
    Object.entries(ACTIONS).map(([name, actions]) => [`<actions of ${name}>`, ['*', ...actions].join(', ')]),
  ),
}

function textOf(cell: string, marks = MARKS): string {
  return Object.entries(marks).reduce((text, [mark, meaning]) => text.replaceAll(mark, meaning), cell)
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

/** Returns the table rows whose actual outcome differs from the expected outcome. */
function wrongLines(table: string, least: number, tell: (outcome: Outcome) => readonly string[]): string[] {
  const lines = linesOf(`test/configuration/${table}`)
  expect(lines).to.have.length.above(least)
  return lines
    .map((line) => line.split('\t')[0] ?? '')
    .map((cell) => [cell, ...tell(parsePermissions(textOf(cell)))].join('\t'))
    .filter((line, at) => line !== textOf(lines[at] ?? '', NAMES))
}

describe('a permission file from a table of test cases', () => {
  it('is rejected with the error messages in the table', () => {
    const wrong = wrongLines('wrong-permissions.tsv', 80, (outcome) =>
      outcome.ok ? ['ACCEPTED'] : outcome.errors.map(({ path, rule }) => `${path} ${rule}`.trim()),
    )
    expect(wrong).to.deep.equal([])
    expect({}).not.to.have.property('inherit')
  })

  it('is compiled to the permissions in the table', () => {
    const wrong = wrongLines('accepted-permissions.tsv', 8, (outcome) =>
      outcome.ok ? [grantedBy(outcome.permissions), JSON.stringify(outcome.permissions.roles)] : ['REFUSED'],
    )
    expect(wrong).to.deep.equal([])
  })
})
