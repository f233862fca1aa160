import { expect } from 'chai'
import { runScript, withPlanted, type Ending } from '../support/project.js'

const MANIFEST = {
  name: 'kennel-id',
  exports: {
    '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' },
    './ports': { types: './dist/src/ports/index.d.ts', default: './dist/src/ports/index.js' },
    './package.json': './package.json',
  },
}
const COMPILER = { target: 'es2023', module: 'nodenext', types: [], skipLibCheck: true }

/** Returns the gate's outcome for a project whose two entries have these sources. */
async function said(index: string, ports: string): Promise<Ending> {
  const files = {
    'package.json': JSON.stringify(MANIFEST),
    'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER, include: ['src'] }),
    'src/index.ts': index,
    'src/ports/index.ts': ports,
  }
  const { status, lines } = await withPlanted(files, (folder) =>
    runScript('scripts/check-reference.js', [folder]),
  )
  return { status, lines: lines.filter((line) => line.trim() !== '') }
}

const LEASH = '/** How long it is, in metres. */\nexport type Leash = number\n'

describe('the check of the API reference', () => {
  it('passes documented exports', async () => {
    const { status, lines } = await said(LEASH, LEASH.replace('Leash', 'Lead'))
    expect(lines).to.deep.equal(['2 entries, 2 exports described'])
    expect(status).to.equal(0)
  })

  it('rejects undocumented exports and broken links', async () => {
    const { status, lines } = await said(
      `${LEASH}export function walk(leash: Leash): void {}\n`,
      '/** Of {@link Cat}. */\nexport type Pack = { dogs: string[] }\n',
    )
    expect(status).to.equal(1)
    const output = lines.join('\n')
    expect(output).to.match(/walk \(CallSignature\).* does not have any documentation/)
    expect(output).to.match(/Failed to resolve link to "Cat"/)
  })

  it('rejects an empty entry point', async () => {
    const { status, lines } = await said(LEASH, 'export {}\n')
    expect(status).to.equal(1)
    expect(lines.join('\n')).to.include('kennel-id/ports: no comments were read from src/ports/index.ts')
  })
})
