/** The files of the page at /docs. */
export type PageFileName =
  'swagger-ui.css' | 'page.css' | 'swagger-ui-bundle.js' | 'page.js' | 'favicon-32x32.png'

export type PackedFile = {
  /** Contains a hash of the content, so that clients can cache it without expiry: `page.0123456789abcdef.js`. */
  readonly address: string
  /** In base64, compressed with gzip. */
  readonly gzip: string
}

/** The build writes this module, so that a bundle includes the files. It is large: import it on demand. */
export declare const PACKED_FILES: Readonly<Record<PageFileName, PackedFile>>
