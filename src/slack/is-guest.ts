import type { WebClient } from '@slack/web-api'

/** Whether the person is a guest, of one channel (`is_ultra_restricted`) or of several. */
export async function isGuest(client: WebClient, userId: string): Promise<boolean> {
  const { user } = await client.users.info({ user: userId })
  return user?.is_restricted === true || user?.is_ultra_restricted === true
}
