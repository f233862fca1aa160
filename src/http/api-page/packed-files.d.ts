/** The files of the page at /docs. */
export type PageFileName =
  'swagger-ui.css' | 'page.css' | 'swagger-ui-bundle.js' | 'page.js' | 'favicon-32x32.png'

export type PackedFile = {
  /** The name contains a hash of the content, so that clients can cache the file without expiry: `page.0123456789abcdef.js`. */
  readonly address: string
  /** The content, compressed with gzip and encoded in base64. */
  readonly gzip: string
}

/** The build writes this module, so that a bundle includes the files. The module is large, so import it on demand. */
export declare const PACKED_FILES: Readonly<Record<PageFileName, PackedFile>>
