import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { PROJECT } from '../support/project.js'
import { runFolder } from '../support/temporary-folder.js'

const execute = promisify(execFile)

export type Packed = Awaited<ReturnType<typeof pack>>

type Versions = Readonly<Record<string, string>>
type Manifest = {
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies: Versions
  readonly devDependencies?: Versions
}

/** Packs the latest build, once per test run. */
export async function pack() {
  const folder = await madeOnce('tarball', async (home) => {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', home]
    writeFileSync(join(home, 'report.json'), await npm(PROJECT, args))
  })
  const [made] = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as [
    { filename: string; size: number; files: readonly { path: string }[] },
  ]
  const { filename, size, files } = made
  return { tarball: join(folder, filename), size, files: files.map(({ path }) => path) }
}

/**
 * Returns a folder with these packages, installed under their import names; a `kennel-…` name stands for the tarball.
 * Test files that install the same packages with the same npm options share the folder, so no test file may change the
 * packages.
 */
export async function install(packages: Versions, ...options: string[]): Promise<string> {
  const key = createHash('sha256')
    .update(JSON.stringify([packages, options]))
    .digest('hex')
  return await madeOnce(key.slice(0, 16), async (folder) => {
    await installInto(folder, { dependencies: packages }, options)
  })
}

const EXAMPLES = join(PROJECT, 'examples')

function manifestOf(example: string): Manifest {
  return JSON.parse(readFileSync(join(EXAMPLES, example, 'package.json'), 'utf8')) as Manifest
}

const isBuilt = ({ scripts }: Manifest) => scripts?.['build'] !== undefined
/** An example with a bundler or test runner needs separate packages, because such tools write into node_modules or refuse a link to it. */
const needsOwnPackages = (manifest: Manifest) => isBuilt(manifest) || manifest.devDependencies !== undefined

/** Copies an example and installs its packages. Runs the example's `build` script, if any. */
export async function installExample(name: string): Promise<string> {
  return await madeOnce(`example-${name}`, async (folder) => {
    cpSync(join(EXAMPLES, name), folder, { recursive: true })
    const manifest = manifestOf(name)
    if (needsOwnPackages(manifest)) await installInto(folder, manifest)
    else symlinkSync(join(await sharedPackages(), 'node_modules'), join(folder, 'node_modules'), 'junction')
    if (isBuilt(manifest)) await npm(folder, ['run', 'build', '--prefix', folder])
  })
}

/**
 * Returns a folder with the packages of all other examples; `test/examples` checks that each example names its
 * packages.
 */
async function sharedPackages(): Promise<string> {
  const manifests = readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => manifestOf(name))
    .filter((manifest) => !needsOwnPackages(manifest))
  const versions = new Map<string, string>()
  for (const [name, version] of manifests.flatMap(({ dependencies }) => Object.entries(dependencies))) {
    const other = versions.get(name) ?? version
    if (other !== version) throw new Error(`Two examples need ${name}: ${other} and ${version}`)
    versions.set(name, version)
  }
  return await install(Object.fromEntries(versions))
}

/** Install scripts are disabled, because the packages must work without them. */
const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--include=dev']

async function installInto(
  folder: string,
  manifest: Manifest,
  options: readonly string[] = [],
): Promise<void> {
  const { tarball } = await pack()
  const dependencies = Object.entries(manifest.dependencies).map(([name, version]) => [
    name,
    name.startsWith('kennel-') ? `file:${tarball}` : version,
  ])
  const text = JSON.stringify({ ...manifest, dependencies: Object.fromEntries(dependencies) as Versions })
  writeFileSync(join(folder, 'package.json'), text)
  await npm(folder, ['install', '--prefix', folder, ...QUIETLY, ...options])
}

export async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const options = { cwd, env, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' }
  const { stdout } = await execute('npm', args, options)
  return stdout.trim()
}

/**
 * Creates a folder with this name for the whole run. The first test file that needs the folder creates it; the others,
 * in any process, wait. Rejects in every process if the folder could not be created.
 */
async function madeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(runFolder(), name)
  const outcome = `${folder}.outcome`
  if (isFirst(folder)) {
    const failure = await make(folder).then(() => '', String)
    // The folder is renamed when it is complete, so that no reader finds it half written.
    writeFileSync(`${outcome}.new`, failure)
    renameSync(`${outcome}.new`, outcome)
  }
  while (!existsSync(outcome)) await pause(20)
  const failure = readFileSync(outcome, 'utf8')
  if (failure !== '') throw new Error(`${name}: ${failure}`)
  return folder
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
