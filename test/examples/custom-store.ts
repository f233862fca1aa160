import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Store } from '../../src/ports/store.js'
import { PROJECT } from '../support/project.js'
import { installBuilt } from '../support/built-package.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

/** The example in a separate folder, where `kennel-id` is the package built from these sources. */
export type ExampleCopy = {
  readonly folder: string
  /** Replaces a text that occurs once in a file, in the copy only. */
  change(file: string, text: string, by: string): void
  open(path: string): Promise<Store>
  /** Runs a Node program to its end. */
  run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  remove(): void
}

export function copyExample(): ExampleCopy {
  const { path: folder, remove } = makeTemporaryFolder()
  cpSync(join(PROJECT, 'examples', 'custom-store'), folder, { recursive: true })
  const entries = { '.': 'index', './ports': 'ports/index', './contracts': 'contracts/index' }
  installBuilt(folder, entries, ['mocha'])
  return {
    folder,
    change(file, text, by) {
      const path = join(folder, file)
      const before = readFileSync(path, 'utf8')
      expect(before.split(text), `${text} is in ${file} once`).to.have.lengthOf(2)
      writeFileSync(path, before.replace(text, by))
    },
    async open(path) {
      const module = (await import(pathToFileURL(join(folder, 'json-file-store.js')).href)) as {
        openJsonFileStore(path: string): Promise<Store>
      }
      return await module.openJsonFileStore(path)
    },
    run: (args) => runNode(folder, args),
    remove,
  }
}

function runNode(cwd: string, args: readonly string[]): ReturnType<ExampleCopy['run']> {
  // A runner that is started by another runner reports to it, but this one must print.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` })
    })
  })
}
