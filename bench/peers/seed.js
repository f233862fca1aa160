// Creates the accounts of a peer, each with a session, and prints its clients as one JSON array.
import { openPeer } from './job.js'
import { hashFirstPassword } from './password.js'

const { peer, job } = await openPeer(hashFirstPassword)
const clients = await peer.seed(job.emails, job.password)
// Timers may keep running, so the process must exit; but a pipe accepts only a part at a time.
process.stdout.write(JSON.stringify(clients), () => process.exit())
