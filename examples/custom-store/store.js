import { openJsonFileStore } from './json-file-store.js'

/** Every command with `--store ./store.js`, such as `npx kennel-id serve`, calls this function. */
export default async function openStore() {
  return await openJsonFileStore('./store.json')
}
