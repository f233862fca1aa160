import { openJsonFileStore } from './json-file-store.js'

/** What `npx kennel-id serve --store ./store.js` opens, and every command with that option. */
export default async function openStore() {
  return await openJsonFileStore('./store.json')
}
