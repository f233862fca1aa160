import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PROJECT } from '../support/project.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)

/** Returns the variables in pairs such as `NAME=value`. */
export function variablesIn(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2)) as [string, string][])
}

type Instruction = { readonly name: string; readonly text: string }

export function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const lines = dockerfile.replaceAll(/\\\n\s*/g, '').split('\n')
  const stages: Instruction[][] = []
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const name = line.slice(0, line.indexOf(' '))
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, text: line.slice(name.length + 1).trim() })
  }
  return stages
}

/**
 * Returns the exceptions in a .dockerignore file whose first line excludes everything. Throws if the file contains
 * anything else.
 */
export function letThrough(dockerignore: string): readonly string[] {
  const [everything, ...exceptions] = dockerignore.trim().split('\n')
  const plain = exceptions.every((line) => /^![\w.-]+$/.test(line))
  if (everything !== '*' || !plain) throw new Error('.dockerignore has a form that this test does not know')
  return exceptions.map((line) => line.slice(1))
}

/** A folder with the files of the last stage; no user may write to them. */
export type Image = { readonly folder: string; remove(): void }

/**
 * Creates the compile cache by running this instruction from the Dockerfile. Must run as root, because the instruction switches to a
 * different user.
 */
export async function compileIn(image: Image, instruction: string): Promise<void> {
  const dist = join(image.folder, 'dist')
  chmodSync(dist, 0o755)
  const { PATH = '' } = process.env
  await run('sh', ['-c', instruction], {
    cwd: image.folder,
    env: { PATH: `${dirname(process.execPath)}:${PATH}` },
  })
  chmodSync(dist, 0o555)
}

/**
 * Emulates the build stages without a container engine: builds from a copy of the context, packs, unpacks, and copies
 * the production packages of this checkout instead of installing them again.
 */
export async function buildImage(context: readonly string[]): Promise<Image> {
  const place = makeTemporaryFolder()
  const home = place.path
  const remove = () => {
    for (const folder of foldersOf(home)) chmodSync(folder, 0o755)
    place.remove()
  }
  try {
    const [build, folder] = [join(home, 'build'), join(home, 'kennel')]
    for (const name of context)
      cpSync(join(PROJECT, name), join(build, name), { recursive: true, dereference: true })
    symlinkSync(join(PROJECT, 'node_modules'), join(build, 'node_modules'))
    await run('npm', ['run', '--silent', 'build'], { cwd: build })
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', home], { cwd: build })
    mkdirSync(folder)
    const tarball = readdirSync(home).find((name) => name.endsWith('.tgz')) ?? 'none'
    await run('tar', ['-xzf', join(home, tarball), '-C', folder, '--strip-components=1'])
    for (const path of productionPackages()) copyPackage(path, join(folder, path))
    chmodSync(home, 0o755)
    for (const one of foldersOf(folder)) chmodSync(one, 0o555)
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}

type Lock = { readonly packages: Readonly<Record<string, { readonly dev?: boolean }>> }

/** Returns the paths of packages that `npm ci --omit=dev` would install, and of optional packages that are also development packages. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path]) => path)
    .filter((path) => existsSync(join(PROJECT, path)))
}

/** Copies a package without its nested packages, which are copied separately. */
function copyPackage(path: string, target: string): void {
  const from = join(PROJECT, path)
  cpSync(from, target, {
    recursive: true,
    filter: (source) => !source.startsWith(join(from, 'node_modules')),
  })
}

function foldersOf(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return [folder, ...inside.flatMap(({ name }) => foldersOf(join(folder, name)))]
}

/** Starts a command of the image in the image's folder. If the test runs as root, the command runs as `user`. */
export function startIn(
  image: Image,
  command: readonly string[],
  env: Record<string, string>,
  user: number,
): ChildProcessWithoutNullStreams {
  const [program = '', ...args] = command
  const asUser = process.getuid?.() === 0 ? { uid: user, gid: user } : {}
  return spawn(program === 'node' ? process.execPath : program, args, { cwd: image.folder, env, ...asUser })
}
