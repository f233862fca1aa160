// Makes the accounts of a peer, each with a session, and prints what its client holds, as one array of JSON.
import { openPeer } from './job.js'
import { hashFirstPassword } from './password.js'

const { peer, job } = await openPeer(hashFirstPassword)
const clients = await peer.seed(job.emails, job.password)
// Something may go on by itself, such as a timer; but a pipe takes only a part at once.
process.stdout.write(JSON.stringify(clients), () => process.exit())
