import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../support/project.js'

/** A copy of what was built, which may be changed. */
export type Tree = { readonly folder: string; readonly remove: () => void }

const COPIED = ['src', 'dist']
const LEFT_OUT = [...COPIED, 'reports', '.git']

/** The sources and what was compiled are copied; everything else is linked. It is below the checkout, with its packages. */
export function copyTree(piece: string): Tree {
  const folder = join(PROJECT, 'reports', 'mutation', `tree-${piece}`)
  const remove = () => {
    rmSync(folder, { recursive: true, force: true })
  }
  remove()
  mkdirSync(folder, { recursive: true })
  for (const name of COPIED) cpSync(join(PROJECT, name), join(folder, name), { recursive: true })
  const linked = readdirSync(PROJECT).filter((name) => !LEFT_OUT.includes(name))
  for (const name of linked) symlinkSync(join(PROJECT, name), join(folder, name))
  return { folder, remove }
}
