import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'tables.js')
const printed = (table) => execFileSync(process.execPath, [SCRIPT, table], { encoding: 'utf8' })

/** The pages of the site that a script generates. */
export default {
  paths: () => ['laws', 'assumptions'].map((table) => ({ params: { table }, content: printed(table) })),
}
