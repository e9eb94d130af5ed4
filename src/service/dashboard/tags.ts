import type { FastifyInstance, FastifyReply } from 'fastify'
import { MAX_LISTED_TAGS } from '../../contract/extension-calls.ts'
import { parseTags, tagKey, tagsError } from '../../contract/tags.ts'
import { formatCount, formatNumber } from '../../web/numbers.ts'
import { html } from '../../web/pages.ts'
import { listTags, renameTag, type UsedTag } from '../store/tags.ts'
import { found, needs, type DashboardContext, may, readQueue, type Viewer } from './access.ts'
import * as forms from './form.ts'
import { listPath } from './list-query.ts'
import { actionLink, pageAsked, pager, sendDashboardPage, sendForm, table } from './page.ts'

const PATH = '/dashboard/tags'

const tagPath = ({ ownerId, name }: UsedTag) => `${PATH}/${ownerId}/${encodeURIComponent(name)}`

export async function tagRoutes(scope: FastifyInstance, context: DashboardContext) {
  const { inTurn, write, now } = context

  const list = (viewer: Viewer, search: Parameters<typeof listTags>[2]) =>
    inTurn(readQueue(viewer), () => listTags(context, viewer.reach, search))

  async function findTag(viewer: Viewer, ownerId: string, name: string) {
    if (tagsError(name) !== undefined) return undefined
    const tags = await list(viewer, { ownerId, key: tagKey(name) })
    // A member sees only the tags of one owner, whatever the path names.
    return tags.find((tag) => tag.ownerId === ownerId)
  }

  /** @param name null to delete the tag */
  async function change(reply: FastifyReply, tag: UsedTag, name: string | null) {
    const { ownerId, key, links } = tag
    const { creator } = reply.request.viewer
    // Each write changes some of the links. Without a limit, two people who rename two tags into each other at the same
    // time would keep each other busy forever. The limit allows for links that get the tag meanwhile.
    let remaining = links + 1_000
    while (remaining > 0) {
      const rename = renameTag({ ownerId, key, name }, creator, now())
      const { changed, isDone } = await write(rename, ownerId)
      if (isDone) return reply.redirect(PATH, 303)
      remaining -= changed
    }
    const alert = 'Some links still have this tag, because they got it meanwhile. Try again.'
    return sendTag(reply, tag, { ...forms.EMPTY_FORM, alert })
  }

  async function submit(reply: FastifyReply, tag: UsedTag) {
    const { request } = reply
    const values = forms.formValues(request)
    if (values['delete'] === 'true') return change(reply, tag, null)
    const [name = '', ...others] = parseTags(values['merge'] ?? values['name'] ?? '')
    const isOneName = name !== '' && others.length === 0
    const error = isOneName ? tagsError(name) : 'Enter one name, without commas.'
    if (error !== undefined) return sendTag(reply, tag, { values, errors: { name: error } })
    if (tagKey(name) === tag.key) return change(reply, tag, name)
    const other = await findTag(request.viewer, tag.ownerId, name)
    return other && values['merge'] === undefined
      ? sendMerge(reply, tag, other)
      : change(reply, tag, other?.name ?? name)
  }

  scope.get(PATH, needs('shortlinks:read'), async (request, reply) => {
    const page = pageAsked(request)
    return sendTags(reply, await list(request.viewer, { page }), page)
  })

  type ByTag = { Params: { id: string; name: string } }
  scope.get<ByTag>(`${PATH}/:id/:name`, needs('tags'), async ({ viewer, params }, reply) =>
    sendTag(reply, found(await findTag(viewer, params.id, params.name))),
  )
  scope.post<ByTag>(`${PATH}/:id/:name`, needs('tags'), async ({ viewer, params }, reply) =>
    submit(reply, found(await findTag(viewer, params.id, params.name))),
  )
}

function sendTags(reply: FastifyReply, tags: readonly UsedTag[], page: number) {
  const { viewer } = reply.request
  const isAdministrator = viewer.kind === 'administrator'
  const rows = tags.map((tag) => [
    html`<a href=${listPath({ tag: tag.name, owner: isAdministrator ? tag.ownerId : undefined })}
      ><bdi>${tag.name}</bdi></a
    >`,
    formatNumber(tag.links),
    html`<bdi>${tag.ownerName}</bdi>`,
    actionLink(tagPath(tag), 'Rename or delete', tag.name),
  ])
  const headings = [
    'Tag',
    'Links',
    isAdministrator && 'Workspace',
    may(viewer, 'tags') && 'Actions',
  ]
  const content = [
    html`<p class="lead">Tags mark links that belong together. To add one, edit a link.</p>`,
    table('Tags', headings, rows),
    pager(PATH, page, tags.length === MAX_LISTED_TAGS),
  ]
  return sendDashboardPage(reply, { title: 'Tags', content })
}

function sendTag(reply: FastifyReply, tag: UsedTag, form = forms.EMPTY_FORM) {
  const { name, links } = tag
  const hint = 'To merge this tag into another one, enter the name of that tag.'
  const action = tagPath(tag)
  const sends = { name: 'delete', value: 'true' }
  const content = [
    forms.renameForm({ action, name, hint, back: PATH }, form),
    html`<section>
      <h2>Delete</h2>
      <p>
        The tag is removed from ${formatCount(links, 'link')}. The links stay. This can’t be undone.
      </p>
      ${forms.postButton({ action, label: 'Delete tag', about: name, danger: true, sends })}
    </section>`,
  ]
  return sendForm(reply, { title: `Tag “${name}”`, content }, form)
}

function sendMerge(reply: FastifyReply, tag: UsedTag, { name, links }: UsedTag) {
  const action = tagPath(tag)
  const sends = { name: 'merge', value: name }
  const about = `${tag.name} into ${name}`
  const content = [
    html`<p class="lead">
      The tag “${name}” already exists, on ${formatCount(links, 'link')}.${' '}
      ${formatCount(tag.links, 'link')} with “${tag.name}” will get “${name}” instead. This can’t be
      undone.
    </p>`,
    forms.confirmButton({ action, label: 'Merge tags', about, sends }, action),
  ]
  const title = `Merge “${tag.name}” into “${name}”?`
  return sendDashboardPage(reply, { title, content }, 409)
}
