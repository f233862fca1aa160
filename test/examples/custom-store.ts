import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { Store } from '../../src/ports/store.js'
import { PROJECT } from '../architecture/project.js'

/** The compiled sources that belong to this test. */
const BUILT = join(import.meta.dirname, '..', '..', 'src')

type Entry = { readonly types: string; readonly default: string }

/** The example in a folder of its own, where `kennel-id` is what was built from these sources. */
export type ExampleCopy = {
  readonly folder: string
  /** Replaces a text that is in a file once, in the copy only. */
  change(file: string, text: string, by: string): void
  open(path: string): Promise<Store>
  /** Runs a program of node's to its end. */
  run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }>
  remove(): void
}

export function copyExample(): ExampleCopy {
  const folder = mkdtempSync(join(tmpdir(), 'kennel-custom-store-'))
  cpSync(join(PROJECT, 'examples', 'custom-store'), folder, { recursive: true })
  installPackages(folder)
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
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** What `npm install` would put there, without the packing. */
function installPackages(folder: string): void {
  const kennel = join(folder, 'node_modules', 'kennel-id')
  mkdirSync(kennel, { recursive: true })
  symlinkSync(BUILT, join(kennel, 'src'), 'junction')
  symlinkSync(join(PROJECT, 'node_modules', 'mocha'), join(folder, 'node_modules', 'mocha'), 'junction')
  const exports = {
    '.': entry('index'),
    './ports': entry('ports/index'),
    './contracts': entry('contracts/index'),
  }
  writeFileSync(join(kennel, 'package.json'), JSON.stringify({ name: 'kennel-id', type: 'module', exports }))
}

function entry(path: string): Entry {
  return { types: `./src/${path}.d.ts`, default: `./src/${path}.js` }
}

function runNode(cwd: string, args: readonly string[]): ReturnType<ExampleCopy['run']> {
  // A runner that is started by another one reports to it, and this one is to print.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(process.execPath, args, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` })
    })
  })
}
