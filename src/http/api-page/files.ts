import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

/** What the page consists of beside its HTML, as `npm run build` puts it together. */
const NAMES = ['swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'page.js', 'favicon-32x32.png'] as const

export type PageFileName = (typeof NAMES)[number]

/** A file in the two forms in which it is sent. */
export type PageFile = {
  /** Changes with the content, so that a client that has it never requests it again: `page.0123456789abcdef.js`. */
  readonly address: string
  readonly plain: Buffer
  readonly zipped: Buffer
}

export type PageFiles = ReadonlyMap<PageFileName, PageFile>

const compress = promisify(gzip)

/** All files of the page from the package's own folder; `undefined` where they were not built. */
export async function readPageFiles(start: string = import.meta.dirname): Promise<PageFiles | undefined> {
  const folder = folderOfOurs(start)
  if (folder === undefined) return undefined
  return new Map(
    await Promise.all(NAMES.map(async (name) => [name, await readPageFile(folder, name)] as const)),
  )
}

async function readPageFile(folder: string, name: PageFileName): Promise<PageFile> {
  const plain = await readFile(join(folder, name))
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16)
  const { name: stem, ext } = parse(name)
  const zipped = await compress(plain, { level: constants.Z_BEST_COMPRESSION })
  return { address: `${stem}.${hash}${ext}`, plain, zipped }
}

/** Wherever below the package this code was built to. The code's own folder has the name too, but not the files. */
function folderOfOurs(start: string): string | undefined {
  const folder = join(start, 'api-page')
  if (NAMES.every((name) => existsSync(join(folder, name)))) return folder
  const above = dirname(start)
  return above === start ? undefined : folderOfOurs(above)
}
