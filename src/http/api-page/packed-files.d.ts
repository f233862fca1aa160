/** What the page at /docs consists of beside its HTML. */
export type PageFileName =
  'swagger-ui.css' | 'page.css' | 'swagger-ui-bundle.js' | 'page.js' | 'favicon-32x32.png'

/** A file as it is kept. */
export type PackedFile = {
  /** Changes with the content, so that a client that has it never requests it again: `page.0123456789abcdef.js`. */
  readonly address: string
  /** In base64, compressed with gzip. */
  readonly gzip: string
}

/** The build writes the module, so that a bundle has the files inside. It is large: it is imported when it is needed. */
export declare const PACKED_FILES: Readonly<Record<PageFileName, PackedFile>>
