import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { withPlanted } from './planted/planted.js'
import { serve } from './served.js'

/** A server in a process of its own, on the store at this address; ends with whom it was started by. */
const [url = '', planted = ''] = process.argv.slice(2)
const isMongodb = url.startsWith('mongodb:')
const store = isMongodb ? await openMongo(url, { timeout: 30_000 }) : await openSqlite(url)
const service = await serve(withPlanted(store, planted === '' ? undefined : planted))
process.on('message', () => {
  void service
    .close()
    .then(() => store.close())
    .then(() => process.exit())
})
process.on('disconnect', () => process.exit())
process.send?.(service.origin)
