import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { rotating } from '../../support/rotation.js'
import { install } from '../packed.js'
import { NODES, type Node } from '../../support/nodes.js'
import { run } from '../programs.js'
import { CONSUMER } from './consumer.js'

/** The oldest supported version, the last version written in JavaScript (which we use), and the newest version. */
const VERSIONS = ['5.4', '5.9', 'latest']
const MODES = { nodenext: 'nodenext', node16: 'node16', bundler: 'esnext' }
type Mode = keyof typeof MODES
const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
const [NODE] = NODES as readonly [Node]

const compiler = (version: string) => `typescript-${version}`

async function complaints(folder: string, version: string, mode: Mode): Promise<string> {
  const compilers = Object.fromEntries(VERSIONS.map((one) => [compiler(one), `npm:typescript@${one}`]))
  const tsc = join(await install(compilers), 'node_modules', compiler(version), 'bin', 'tsc')
  const modules = ['--module', MODES[mode], '--moduleResolution', mode, '--target', 'es2022']
  const args = [tsc, ...STRICT, ...modules, '--types', 'node', 'program.mts']
  const { code, stdout, stderr } = await run(NODE, args, { folder })
  return code === 0 ? '' : `${stdout}${stderr}`
}

describe('the declarations of the package, fully checked, with every entry', () => {
  let folder: string
  before(async () => {
    folder = await install({ 'kennel-id': '*', '@types/node': '^20' })
    writeFileSync(join(folder, 'program.mts'), CONSUMER)
  })

  // CI uses a different mode in each run.
  for (const version of VERSIONS)
    for (const mode of rotating(Object.keys(MODES) as Mode[], 1))
      it(`compile with TypeScript ${version} as ${mode}`, async () => {
        expect(await complaints(folder, version, mode)).to.equal('')
      })
})
