import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { PROJECT } from './project.js'

const CONTEXT = 3

/**
 * Expects that a file of this project contains exactly these lines. With `UPDATE=1`, writes the lines to the file
 * instead; a review of the commit then approves the difference.
 */
export function expectApproved(file: string, lines: readonly string[]): void {
  const path = join(PROJECT, file)
  if (process.env['UPDATE'] === '1') writeFileSync(path, `${lines.join('\n')}\n`)
  const [actual, expected] = differing(lines, readFileSync(path, 'utf8').split('\n').slice(0, -1))
  expect(actual, `${file} differs. If you want this change: npm run generate, and commit the file`).to.equal(
    expected,
  )
}

/** Returns the differing part of both texts, with some lines of context. */
function differing(some: readonly string[], others: readonly string[]): readonly [string, string] {
  const shorter = Math.min(some.length, others.length)
  let same = 0
  while (same < shorter && some[same] === others[same]) same += 1
  let end = 0
  while (end < shorter - same && some.at(-1 - end) === others.at(-1 - end)) end += 1
  const part = (lines: readonly string[]) =>
    lines.slice(Math.max(0, same - CONTEXT), lines.length - Math.max(0, end - CONTEXT)).join('\n')
  return [part(some), part(others)]
}
