/**
 * The source code of `in-thread/main.ts` with bcryptjs and the Argon2 of hash-wasm, as one CommonJS script. The build script generates this
 * module.
 */
export declare const THREAD: string
