import { expect, test } from 'vitest'
import { createImages, type FetchImage } from '../../../src/simulator/workspace/images.ts'

const answer = (status: number, type: string) => async () =>
  new Response(status === 204 ? null : 'x', { status, headers: { 'content-type': type } })

/** What Slack says about an image, after the app has sent it in a message. */
async function checked(url: string, fetchImage: FetchImage, reachesLoopback = false) {
  const images = createImages({ reachesLoopback, fetchImage })
  await images.loadIn({ blocks: JSON.stringify([{ type: 'image', image_url: url }]) })
  return images.check(url)
}

const PUBLIC = 'https://go.example.com/x/qr.png'
const png = answer(200, 'image/png')

test.each<[string, string, FetchImage, reachesLoopback?: boolean]>([
  ['a PNG', PUBLIC, png],
  ['a JPEG with a charset', PUBLIC, answer(200, 'image/jpeg; charset=binary')],
  ['a PNG on this machine, in the playground', 'http://localhost:3001/x/qr.png', png, true],
  ['a PNG at an IPv6 address of this machine', 'http://[::1]:3001/x/qr.png', png, true],
])('shows %s', async (_what, ...image) => expect(await checked(...image)).toBeUndefined())

test.each<[string, string, FetchImage, reachesLoopback?: boolean]>([
  ['a page', PUBLIC, answer(200, 'text/html')],
  ['an SVG', PUBLIC, answer(200, 'image/svg+xml')],
  ['an image that is not there', PUBLIC, answer(404, 'image/png')],
  [
    'an image whose server does not respond',
    PUBLIC,
    async () => Promise.reject(new Error('timeout')),
  ],
  ['an image on this machine', 'http://localhost:3001/x/qr.png', png],
  ['an image in this network, even in the playground', 'https://10.0.0.1/x/qr.png', png, true],
])('refuses %s', async (_what, ...image) =>
  expect(await checked(...image)).toBe('downloading image failed'),
)

test('fetches an image once', async () => {
  const fetched: string[] = []
  const images = createImages({
    reachesLoopback: false,
    fetchImage: async ({ href }) => {
      fetched.push(href)
      return png()
    },
  })
  for (const color of ['000000', '000000', '1f4f46']) {
    await images.loadIn({ view: { blocks: [{ image_url: `${PUBLIC}?color=${color}` }] } })
  }
  expect(fetched).toEqual([`${PUBLIC}?color=000000`, `${PUBLIC}?color=1f4f46`])
})
