import { OPERATOR, openKennel, type Kennel, type KennelOptions } from '../../../src/index.js'
import { collectingLog } from '../log-collector.js'
import { PASSPHRASE, PASSWORD } from './service.js'

export const EMAIL = 'ada@example.com'
export const ORIGIN = 'http://127.0.0.1:3000'

/** A Kennel in memory at ORIGIN, with the account of EMAIL. Its log is discarded unless `parts` contains a log. */
export async function openMemoryKennel({ parts, ...options }: Partial<KennelOptions> = {}): Promise<Kennel> {
  const kennel = await openKennel({
    store: 'memory:',
    passphrase: PASSPHRASE,
    publicUrl: ORIGIN,
    production: false,
    passwordScrypt: '10/8/1',
    background: false,
    ...options,
    parts: { log: collectingLog().log, ...parts },
  })
  await kennel.createUser({ caller: OPERATOR, email: EMAIL, password: PASSWORD })
  return kennel
}
