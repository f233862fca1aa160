import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROJECT } from '../support/project.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

const execute = promisify(execFile)

/** Beside a folder for whatever is installed from it. */
export type Packed = {
  readonly tarball: string
  /** Of the tarball itself, in bytes. */
  readonly size: number
  /** Paths in the package. */
  readonly files: readonly string[]
  /** A new folder with these packages installed, by the names under which they are imported; `options` are npm's. */
  install(name: string, packages: Readonly<Record<string, string>>, ...options: string[]): Promise<string>
  /** A copy of an example with all that its `package.json` asks for; `kennel-id` is the tarball. */
  installExample(name: string): Promise<string>
  /** Runs the script `build` of what is installed in a folder. */
  build(folder: string): Promise<void>
  remove(): void
}

type Manifest = { readonly dependencies: Readonly<Record<string, string>> }

/** Packs what was built last. */
export async function pack(): Promise<Packed> {
  const { path: home, remove } = makeTemporaryFolder()
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', home]
  const [made] = JSON.parse(await npm(PROJECT, args)) as [
    { filename: string; size: number; files: readonly { path: string }[] },
  ]
  const tarball = join(home, made.filename)
  const install = async (folder: string, manifest: Manifest, options: readonly string[] = []) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    await npm(folder, ['install', '--prefix', folder, ...QUIETLY, ...options])
    return folder
  }
  return {
    tarball,
    size: made.size,
    files: made.files.map(({ path }) => path),
    install: async (name, dependencies, ...options) => {
      mkdirSync(join(home, name))
      return await install(join(home, name), { dependencies }, options)
    },
    installExample: async (name) => {
      const folder = join(home, name)
      cpSync(join(PROJECT, 'examples', name), folder, { recursive: true })
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
      const dependencies = { ...manifest.dependencies, 'kennel-id': `file:${tarball}` }
      return await install(folder, { ...manifest, dependencies })
    },
    build: async (folder) => {
      await npm(folder, ['run', 'build', '--prefix', folder])
    },
    remove,
  }
}

/** No script of a package is run: what is installed has to do without. */
const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--include=dev']

/** What npm prints when it is run there. */
export async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const options = { cwd, env, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' }
  const { stdout } = await execute('npm', args, options)
  return stdout.trim()
}
