import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeWorkplace } from '../cli/app.js'
import { runScript } from '../support/pages/walk.js'
import { reservedPort } from '../support/reserved-port.js'
import { rotating } from '../support/rotation.js'
import { shows } from './output.js'
import type { Page, Step } from './page.js'
import { STARTS } from './starts.js'

/** The names of the folders in which the commands of pages run, without and with a space; CI uses only one of them. */
export const FOLDERS = rotating(['kennel', 'another folder'], 1)

/** Separates the outputs of blocks; the block number follows it. */
const MARK = '\u001e'
/** The ports of services, proxies and database servers in the pages; a test replaces each with a free port. */
const PORTS = ['3000', '3001', '8080', '8443', '5433', '5434', '6432'] as const
const ADDRESS = new RegExp(`(?<=\\b(?:localhost:|127\\.0\\.0\\.1:|PORT=))(?:${PORTS.join('|')})\\b`, 'g')

/**
 * Runs the commands of a page in a separate folder with this name, twice in a row, like a reader who starts again. Throws if a command
 * fails, or prints something that differs from the page. `env` contains the variables that the page assumes.
 */
export async function follow(page: Page, name: string, env: Record<string, string> = {}): Promise<void> {
  const place = await makeWorkplace({ store: false })
  try {
    const folder = join(place.folder, name)
    mkdirSync(folder)
    const start = STARTS[page.start ?? '']
    if (!start) throw new Error(`${page.path} starts from "${page.start ?? ''}", which no test knows`)
    const { before } = await start(folder, place)
    for (const turn of ['first', 'second']) {
      const ports = await freePorts()
      const inTest = (text: string) => text.replaceAll(ADDRESS, (port) => ports.get(port) ?? port)
      const script = inTest([before, ...stepsAt(inTest, page).map(commandsOf)].join('\n'))
      const { code, stdout } = await runScript({ ...place, folder }, `exec 2>&1\n${script}`, {
        PORT: inTest('localhost:3000').replace('localhost:', ''),
        ...env,
      })
      const printed = asOnThePage(stdout, ports)
      if (code !== 0) throw new Error(`${page.path}, ${turn} time, in ${name}: ${lastOf(page, printed)}`)
      expectShown(page, printed, turn)
    }
  } finally {
    await place.remove()
  }
}

/** Runs before the files of a page are encoded, because it also replaces addresses in these files. */
function stepsAt(inTest: (text: string) => string, { steps }: Page): readonly Step[] {
  return steps.map((step) => ({ ...step, text: inTest(step.text) }))
}

function asOnThePage(printed: string, ports: ReadonlyMap<string, string>): string {
  return [...ports].reduce(
    (text, [port, inTest]) => text.replaceAll(new RegExp(`(?<=:)${inTest}\\b`, 'g'), port),
    printed,
  )
}

function commandsOf(step: Step, index: number): string {
  const mark = `printf '${MARK}%d\\n' ${String(index)}`
  if (step.kind === 'walk') return `${mark}\n${step.text}`
  if (step.kind !== 'file') return ''
  return `base64 -d > '${step.name}' <<< '${Buffer.from(step.text).toString('base64')}'`
}

function partsOf(printed: string): ReadonlyMap<number, string> {
  const [, ...parts] = printed.split(MARK)
  return new Map(
    parts.map((part) => [Number(part.slice(0, part.indexOf('\n'))), part.slice(part.indexOf('\n') + 1)]),
  )
}

function expectShown({ path, steps }: Page, printed: string, turn: string): void {
  const parts = partsOf(printed)
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'output') continue
    const before = parts.get(index - 1)
    if (before === undefined) throw new Error(`${path} shows what no block prints:\n${step.text}`)
    if (shows(step.text, before)) continue
    throw new Error(`${path}, ${turn} time, shows\n${step.text}but the command printed\n${before}`)
  }
}

function lastOf({ steps }: Page, printed: string): string {
  const last = [...partsOf(printed)].at(-1)
  if (!last) return `before the first block\n${printed}`
  return `${steps[last[0]]?.text ?? ''}failed after it had printed\n${last[1]}`
}

async function freePorts(): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await Promise.all(PORTS.map(async (port) => [port, String(await reservedPort())] as [string, string])),
  )
}
