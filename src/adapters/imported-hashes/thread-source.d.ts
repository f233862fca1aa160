/**
 * The source code of `in-thread/main.ts` with bcryptjs and hash-wasm's Argon2, as one CommonJS script. The build script generates this
 * module.
 */
export declare const THREAD: string
