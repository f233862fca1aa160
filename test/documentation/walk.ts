import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { APP, makeWorkplace, type Outcome, type Workplace } from '../cli/app.js'
import { blocksOf, pages } from './blocks.js'

export const OPERATIONS_PAGES = 'docs/operations/'

/** Pages with something to type. */
export function walkedPages(): readonly string[] {
  return pages().filter((page) => walkBlocks(page).length > 0)
}

function walkBlocks(page: string) {
  return blocksOf(page).filter(({ language }) => language === 'sh walk')
}

/** A workplace that looks like the checkout, whose `bin/app.js` the pages call. */
export async function makeWalkPlace(): Promise<Workplace> {
  const place = await makeWorkplace()
  mkdirSync(join(place.folder, 'bin'))
  symlinkSync(APP, join(place.folder, 'bin', 'app.js'))
  return place
}

/** All walk blocks of a page in one shell, in a folder that looks like the checkout. */
export async function walk(place: Workplace, page: string, env: Record<string, string>): Promise<Outcome> {
  const script = walkBlocks(page).map((one) => one.text)
  return await runScript(place, script.join('\n'), env)
}

/** Stops at the first command that fails, and gives what all have said. */
export async function runScript(
  place: Workplace,
  script: string,
  env: Record<string, string>,
): Promise<Outcome> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: place.folder,
    env: { ...place.env, ...env },
  })
  child.stdin.end()
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
