import { MongoClient } from 'mongodb'

export async function contentsOf(url: string): Promise<string> {
  const client = new MongoClient(url)
  try {
    const collections = await client.db().collections()
    return JSON.stringify(await Promise.all(collections.map((one) => one.find().toArray())))
  } finally {
    await client.close()
  }
}
