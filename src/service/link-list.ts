import { z } from 'zod'
import { shortlink } from '../contract/shortlink.ts'

/** A Shortlink with what lists show besides. */
const listedShortlink = shortlink.extend({
  created_at: z.iso.datetime().describe('In UTC.'),
  updated_at: z.iso.datetime().describe('In UTC.'),
  clicks: z.int().min(0).describe('How often people followed it; programs are left out.'),
})

export type ListedShortlink = z.infer<typeof listedShortlink>

/** The answer to a list. The interface leaves its shape open (spec §4.2), so it is ours. */
export const linkList = z.object({
  data: z.object({
    status: z.literal('success'),
    message: z.string(),
    shortlinks: z.array(listedShortlink),
    pagination: z.object({
      page: z.int(),
      per_page: z.int(),
      total_items: z.int(),
      total_pages: z.int(),
    }),
  }),
})

export type LinkList = z.infer<typeof linkList>
