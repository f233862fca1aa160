import { openJsonFileStore } from './json-file-store.js'

/** The function that `npx kennel-id serve --store ./store.js`, and every command with that option, calls. */
export default async function openStore() {
  return await openJsonFileStore('./store.json')
}
