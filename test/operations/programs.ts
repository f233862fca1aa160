import type { AsyncFunc } from 'mocha'
import { programPath } from '../support/programs.js'

/** Programs that not every machine has, with the variable that forbids to go without. */
const REQUIRED_BY = {
  sqlite3: 'REQUIRE_SQLITE3',
  hadolint: 'REQUIRE_HADOLINT',
  'systemd-analyze': 'REQUIRE_SYSTEMD',
} as const

export type Program = keyof typeof REQUIRED_BY

/** Its path: the one that HADOLINT, SQLITE3 and so on name, else from PATH. */
export function pathOf(program: Program): string | undefined {
  return programPath(program, process.env[program.toUpperCase().replaceAll('-', '_')])
}

/** An `it` that is skipped, its reason named, where the program is missing; `REQUIRE_…=1` makes that a failure. */
export function itWith(program: Program, title: string, body: AsyncFunc): void {
  const NO_PROGRAM = `no ${program} on PATH`
  if (pathOf(program) !== undefined) it(title, body)
  else if (process.env[REQUIRED_BY[program]] === '1') {
    it(title, () => {
      throw new Error(NO_PROGRAM)
    })
  } else it.skip(`${title} (${NO_PROGRAM})`, body)
}
