// Shows how the address of a queue is checked, and that no message contains its password.

import { describe, expect, it } from 'vitest'
import { connectRedis, queueName } from '../src/redis.ts'

describe('the address of a queue', () => {
  it.each(['nowhere', 'http://host'])('is refused when it is %s', async (url) => {
    await expect(connectRedis(url, 1)).rejects.toThrow(
      expect.objectContaining({ code: 'BAD_OPTION', message: expect.stringContaining('redis://host:6379') }),
    )
  })

  it('is reported without its password when nothing answers', async () => {
    const connection = await connectRedis('redis://me:secret@127.0.0.1:1', 0.2)
    connection.connect()
    const error = await connection.lost.catch((reason) => reason)
    connection.close()
    expect(error).toMatchObject({ code: 'REDIS_LOST', message: expect.stringContaining('127.0.0.1:1') })
    expect(error.message).not.toContain('secret')
  })

  it('differs for another text', () => {
    expect(queueName({ name: 'a:b.run', hash: 'f'.repeat(64) })).toBe('a-b.run-ffffffffffff')
  })
})
