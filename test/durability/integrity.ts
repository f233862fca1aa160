import { connect } from '../../src/adapters/sqlite/driver.js'
import { setting } from '../../src/adapters/sqlite/schema.js'

export async function integrityOf(path: string): Promise<string> {
  const connection = await connect(path)
  const verdict = setting(connection, 'PRAGMA integrity_check')
  connection.close()
  return String(verdict)
}
