import { bytesOfBase64, unzip } from '../encoding.js'
import { pageHtml } from './html.js'
import type { PackedFile } from './packed-files.js'

/** A file of the page, compressed and plain. */
export type PageFile = {
  readonly zipped: Uint8Array
  /** Returns the plain file for clients that do not accept gzip; the file is unpacked at the first call. */
  plain(): Promise<Uint8Array>
}

/** The page and its files, keyed by their addresses relative to the page. */
export type ApiPage = { readonly html: string; readonly files: ReadonlyMap<string, PageFile> }

export async function loadApiPage(): Promise<ApiPage> {
  const { PACKED_FILES } = await import('./packed-files.js')
  const files = Object.values(PACKED_FILES).map((packed) => [packed.address, pageFile(packed)] as const)
  return { html: pageHtml((name) => PACKED_FILES[name].address), files: new Map(files) }
}

function pageFile({ gzip }: PackedFile): PageFile {
  const zipped = bytesOfBase64(gzip)
  let plain: Promise<Uint8Array> | undefined
  return { zipped, plain: () => (plain ??= unzip(zipped)) }
}
