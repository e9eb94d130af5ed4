import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { oas31 } from 'zod-openapi'
import { formatNumber } from '../../web/numbers.ts'
import { defineLayout, html, type HtmlPage, sendPage } from '../../web/pages.ts'
import type { openapiDocument } from './openapi.ts'

const LAYOUT = defineLayout({
  width: 'wide',
  css: `
.operation { display: inline-block; padding: 0.4em 0.7em; }
.operation b { color: var(--accent); }
.response { display: grid; grid-template-columns: 4rem 1fr; padding: 0.75rem 0 0;
  border-top: 1px solid var(--line); }
.response > div { min-width: 0; }
.status { font-variant-numeric: tabular-nums; }
@media (max-width: 50rem) { .response { grid-template-columns: 1fr; } }
`,
})

type OpenapiDocument = ReturnType<typeof openapiDocument>

interface Schema extends Omit<oas31.SchemaObject, 'default' | 'properties'> {
  default?: string | number
  properties?: Record<string, Schema>
}

interface Field extends Partial<Pick<oas31.ParameterObject, 'in' | 'required'>> {
  name: string
  schema: Schema
}

interface Operation extends Pick<oas31.OperationObject, 'description' | 'security' | 'summary'> {
  operationId: string
  parameters?: Field[]
  requestBody?: { content: Record<string, { schema: Schema; example: Record<string, string> }> }
  responses: Record<string, { description: string; content: Record<string, { example?: unknown }> }>
}

export async function docsRoutes(scope: FastifyInstance, { publicUrl }: { publicUrl: string }) {
  let document: Promise<OpenapiDocument> | undefined
  let page: HtmlPage | undefined
  // Both are built for the first request, so that they don't delay the start.
  const build = async () => (await import('./openapi.ts')).openapiDocument(publicUrl)
  scope.get('/api/v1/openapi.json', async (_request, reply) =>
    // Tools that display the document in a browser can be on another site.
    reply.header('access-control-allow-origin', '*').send(await (document ??= build())),
  )
  scope.get('/docs', async (_request, reply) => {
    page ??= docsPage(await (document ??= build()))
    return sendPage(reply, 200, page)
  })
}

function docsPage({ info, servers, paths }: OpenapiDocument): HtmlPage {
  const base = servers?.[0]?.url ?? ''
  return LAYOUT.render({
    title: `${info.title} ${info.version}`,
    content: [
      html`<h1>${info.title}</h1>`,
      html`<p class="lead">
        ${info.description} This page describes version ${info.version} of the API. For programs,
        there is <a href="/api/v1/openapi.json">openapi.json</a>.
      </p>`,
      html`<p>
        Every request except for a QR code needs an API key in the header <code>X-API-Key</code>.
        Keep keys secret: they must not appear in web pages or repositories. An admin of the service
        creates them in the <a href="/dashboard/keys">dashboard</a>. All URLs start with${' '}
        <code>${base}</code>.
      </p>`,
      Object.entries(paths ?? {}).map(([path, { servers: _, ...operations }]) =>
        Object.entries(operations).map(([method, operation]) =>
          operationSection(base, method, path, operation as Operation),
        ),
      ),
    ],
  })
}

function operationSection(base: string, method: string, path: string, operation: Operation) {
  const { operationId: id, summary, description, responses } = operation
  const { parameters = [], requestBody } = operation
  const [[mediaType, body] = []] = Object.entries(requestBody?.content ?? {})
  return html`<section id=${id}>
    <h2>${summary}</h2>
    <p>
      <code class="operation"><b>${method.toUpperCase()}</b> ${path}</code>
    </p>
    ${description && html`<p>${withCode(description)}</p>`}
    ${parameters.length > 0 && fieldTable('Parameters', parameters)}
    ${
      body &&
      fieldTable(
        `Body: ${mediaType ?? ''}`,
        Object.entries(body.schema.properties ?? {}).map(([name, schema]) => ({
          name,
          schema,
          required: body.schema.required?.includes(name) === true,
        })),
      )
    }
    <h3>Example</h3>
    <pre tabindex="0"><code>${curl(base + path, method, operation)}</code></pre>
    <h3>Responses</h3>
    ${Object.entries(responses).map(
      ([status, { description, content }]) =>
        html`<div class="response">
          <p><b class="status">${status}</b></p>
          <div>
            ${description.split('\n\n').map((line) => html`<p>${withCode(line)}</p>`)}
            ${Object.values(content).map(
              ({ example }) =>
                example !== undefined &&
                html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`,
            )}
          </div>
        </div>`,
    )}
  </section>`
}

function fieldTable(caption: string, rows: Field[]) {
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Description</th>
        <th scope="col">Format</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ name, in: location, required, schema }) =>
          html`<tr>
            <th scope="row">
              <code>${name}</code>
              ${location === 'header' && html`<small>header</small>`}
              ${required && html`<small>required</small>`}
            </th>
            <td>${withCode(schema.description ?? '')}</td>
            <td>${describeFormat(schema)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function describeFormat(schema: Schema): string {
  const { minimum, maximum, maxLength, pattern, default: defaultValue } = schema
  // JSON Schema calls a file a string of the format `binary`. The schema of a repeatable parameter has no type.
  const type = schema.format === 'binary' ? 'file' : (schema.format ?? schema.type ?? 'string')
  return [
    schema.enum ? schema.enum.map(String).join(' or ') : type,
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    maxLength !== undefined && `at most ${formatNumber(maxLength)} characters`,
    // The pattern of a format, such as a date, is too long to read.
    pattern !== undefined && schema.format === undefined && `matches ${pattern}`,
    defaultValue !== undefined && `default ${defaultValue}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function withCode(line: string): ComponentChildren {
  return line
    .split(/(`[^`]+`|\b[A-Z]+_[A-Z_]+\b)/)
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part.replaceAll('`', '')}</code>`))
}

function curl(address: string, method: string, operation: Operation): string {
  const { parameters = [], requestBody, security, responses } = operation
  const [body] = Object.values(requestBody?.content ?? {})
  const url = address.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const fields = Object.entries(body?.example ?? {})
  // curl sends POST by itself if there are fields, and GET if there are none.
  const implied = fields.length > 0 ? 'post' : 'get'
  const lines = [
    `curl "${url}"`,
    ...(method === implied ? [] : [`--request ${method.toUpperCase()}`]),
    ...(security ? [] : [`--header "X-API-Key: $API_KEY"`]),
    ...parameters.flatMap(({ in: location, name, required }) =>
      location === 'header' && required
        ? [`--header "${name}: $${name.toUpperCase().replaceAll('-', '_')}"`]
        : [],
    ),
    ...('image/png' in (responses['200']?.content ?? {}) ? ['--remote-name'] : []),
    ...fields.map(([name, value]) => `--form '${name}=${value.replaceAll("'", String.raw`'\''`)}'`),
  ]
  return lines.join(' \\\n  ')
}
