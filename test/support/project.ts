import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { makeTemporaryFolder } from './temporary-folder.js'

/** The folder of this project, for compiled tests at any depth. */
export const PROJECT = folderOfPackage(import.meta.dirname)

function folderOfPackage(start: string): string {
  return existsSync(join(start, 'package.json')) ? start : folderOfPackage(dirname(start))
}

export function filesOf(folder: string): string[] {
  const entries = readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(PROJECT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

export function textOf(...path: readonly string[]): string {
  return readFileSync(join(PROJECT, ...path), 'utf8')
}

/** The result of a script in this project: its exit status, and the lines of both output streams. */
export type Ending = { readonly status: number; readonly lines: readonly string[] }

export function runScript(script: string, args: readonly string[], folder = PROJECT): Promise<Ending> {
  return new Promise((resolve) => {
    const command = [join(PROJECT, script), ...args]
    const child = execFile(process.execPath, command, { cwd: folder }, (_error, stdout, stderr) => {
      resolve({ status: child.exitCode ?? -1, lines: `${stderr}${stdout}`.trim().split('\n') })
    })
  })
}

export const gitIn =
  (cwd: string) =>
  (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd })

export async function withPlanted<Result>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const tree = plant(files)
  try {
    return await work(tree.folder)
  } finally {
    tree.remove()
  }
}

export function plant(files: Readonly<Record<string, string>>): { folder: string; remove(): void } {
  const { path: folder, remove } = makeTemporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, remove }
}
