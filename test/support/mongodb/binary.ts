import { programPath } from '../programs.js'

/** The server's binary: `MONGOMS_SYSTEM_BINARY`, else a `mongod` on PATH. */
export function mongodBinary(): string | undefined {
  return programPath('mongod', process.env['MONGOMS_SYSTEM_BINARY'])
}
