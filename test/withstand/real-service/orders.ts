/** What the process of the service is told. */
export type Order = { readonly kind: 'memory' }

/** What it says when it has done so. */
export type Told = { readonly kind: 'done'; readonly heap: number }

/** The variable that names a planted bug. */
export const PLANTED = 'PLANTED_BUG'
/** The variable that names the SQLite file or the MongoDB below a store with a planted bug. */
export const PLANTED_STORE = 'PLANTED_BUG_STORE'
/** The variable that names the file with how many milliseconds its clock is ahead, a number of eight bytes. */
export const CLOCK_FILE = 'CLOCK_FILE'
