import { readFileSync } from 'node:fs'

/** The lines of a table next to its test; tabs separate cells. */
export function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}
