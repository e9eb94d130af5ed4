import { z } from 'zod'
import { formatCount } from '../../web/numbers.ts'
import { FIRST_PAGE } from '../block-kit/list-position.ts'
import { fetchList } from '../links/link-lists.ts'
import { readFilter } from '../list/list-text.ts'
import { linkData, toLinkData } from './link-data.ts'
import { defineTool } from './tools.ts'

export const findLinks = defineTool({
  name: 'find_links',
  title: 'Find short links',
  description:
    'Lists the workspace’s short links, the newest first, ten on a page. Without arguments, it lists all.',
  inputSchema: z.object({
    text: z
      .string()
      .max(1_000)
      .optional()
      .describe('Part of a title, a destination or a short URL: 3 to 200 characters.'),
    tags: z
      .string()
      .max(1_000)
      .optional()
      .describe('Only links that have all of these tags. Separated by commas.'),
    mine: z.boolean().optional().describe('Only links that the person created.'),
    page: z.int().min(1).max(1_000_000).default(1),
  }),
  outputSchema: z.object({
    links: z.array(linkData),
    page: z.int(),
    total: z.int().optional().describe('The number of links on all pages.'),
    has_next: z.boolean().describe('Whether there is another page.'),
  }),
  async run({ platform, caller }, { text, tags, mine, page }) {
    const { clock, permissions } = platform
    await permissions.checkMaySee(caller)
    const filter = readFilter(text?.trim() || undefined, tags?.trim() || undefined)
    const position = { ...FIRST_PAGE, page, ...filter, ...(mine && { mine: true as const }) }
    const listPage = await fetchList(platform, caller, position)
    const links = listPage.links.map((link) => toLinkData(link, clock.now()))
    const { totalItems: total, hasNext: has_next } = listPage
    const next = has_next ? ' There are more on the next page.' : ''
    return {
      text: `${formatCount(links.length, 'link')} on page ${page}.${next}`,
      data: { links, page, has_next, ...(total !== undefined && { total }) },
    }
  },
})
