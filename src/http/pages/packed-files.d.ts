import type { PackedFile } from '../static-page.js'

/** The build generates this module, so that a bundle includes the files and the texts. */
export declare const PACKED_FILES: Readonly<Record<'page.css' | 'page.js', PackedFile>>
/** The texts in `templates/pages/en.json`. */
export declare const OWN_TEXTS: Readonly<Record<string, string>>
