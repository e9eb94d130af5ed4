import type { ComponentChildren } from 'preact'
import { grouped } from '../grouped.ts'
import type { openapiDocument } from './openapi.ts'
import { html } from '../pages/html.ts'
import { widePage } from '../pages/wide-page.ts'

type Document = ReturnType<typeof openapiDocument>

/** As much of JSON Schema as the document uses. */
interface Schema {
  type?: string
  description?: string
  format?: string
  enum?: unknown[]
  default?: string | number
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Operation {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema; example: Record<string, string> }> }
  responses: Record<string, { description: string; content: Record<string, { example?: unknown }> }>
}

/** A readable page of the interface's description. */
export function docsPage(document: Document): string {
  const base = document.servers?.[0]?.url ?? ''
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as unknown as Record<string, Operation>).map(
      ([method, operation]) => [method, path, operation] as const,
    ),
  )
  return widePage({
    title: `${document.info.title} ${document.info.version}`,
    content: [
      html`<h1>${document.info.title}</h1>`,
      html`<p class="lead">
        ${document.info.description} Version ${document.info.version} of its interface, for programs
        too: <a href="/api/v1/openapi.json">openapi.json</a>.
      </p>`,
      html`<p>
        Every request carries an API key in the header <code>X-API-Key</code>. Keys are secret: keep
        them out of web pages and repositories. The service’s administrator makes them in the${' '}
        <a href="/dashboard/keys">dashboard</a>. Addresses begin with <code>${base}</code>.
      </p>`,
      ...operations.map(([method, path, operation]) =>
        operationSection(base, method, path, operation),
      ),
    ],
  })
}

function operationSection(
  base: string,
  method: string,
  path: string,
  operation: Operation,
): ComponentChildren {
  const { operationId: id, summary, parameters = [], requestBody, responses } = operation
  const [mediaType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return html`<section id=${id}>
    <h2>${summary}</h2>
    <p>
      <code class="operation"><b>${method.toUpperCase()}</b> ${path}</code>
    </p>
    ${
      parameters.length > 0 &&
      fieldTable(
        'Parameters',
        parameters.map(({ name, in: where, required = false, schema }) => ({
          name,
          where,
          required,
          schema,
        })),
      )
    }
    ${
      body &&
      fieldTable(
        `Body: ${mediaType ?? ''}`,
        Object.entries(body.schema.properties ?? {}).map(([name, schema]) => ({
          name,
          schema,
          required: body.schema.required?.includes(name) ?? false,
        })),
      )
    }
    <h3>Example</h3>
    <pre tabindex="0"><code>${curl(base, path, body?.example)}</code></pre>
    <h3>Answers</h3>
    ${Object.entries(responses).map(
      ([status, { description, content }]) =>
        html`<div class="answer">
          <p><b class="status">${status}</b></p>
          <div>
            ${description.split('\n\n').map((line) => html`<p>${codes(line)}</p>`)}
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

interface FieldRow {
  name: string
  /** Query or header. */
  where?: string
  required: boolean
  schema: Schema
}

function fieldTable(caption: string, rows: FieldRow[]): ComponentChildren {
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Meaning</th>
        <th scope="col">Form</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ name, where, required, schema }) =>
          html`<tr>
            <th scope="row">
              <code>${name}</code>
              ${where === 'header' && html`<small>header</small>`}
              ${required && html`<small>required</small>`}
            </th>
            <td>${schema.description}</td>
            <td>${formOf(schema)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** JSON Schema calls a file a string of the format `binary`. */
function kindOf({ format, type }: Schema): string | undefined {
  return format === 'binary' ? 'file' : (format ?? type)
}

/** What a value looks like, in words. */
function formOf(schema: Schema): string {
  const words = [
    schema.enum ? schema.enum.map(String).join(' or ') : kindOf(schema),
    ...(schema.minimum === undefined
      ? []
      : [
          schema.maximum === undefined
            ? `from ${schema.minimum}`
            : `${schema.minimum} to ${schema.maximum}`,
        ]),
    ...(schema.maxLength === undefined ? [] : [`at most ${grouped(schema.maxLength)} characters`]),
    ...(schema.pattern === undefined ? [] : [`matches ${schema.pattern}`]),
    ...(schema.default === undefined ? [] : [`${schema.default} unless given`]),
  ]
  return words.filter((word) => word !== undefined).join(', ')
}

/** What stands between backticks, and codes, as code. */
function codes(line: string): ComponentChildren {
  return line
    .split(/(`[^`]+`|\b[A-Z]+_[A-Z_]+\b)/)
    .map((part, at) => (at % 2 === 0 ? part : html`<code>${part.replaceAll('`', '')}</code>`))
}

function curl(base: string, path: string, fields: Record<string, string> | undefined): string {
  const lines = [
    `curl ${base}${path}`,
    `--header "X-API-Key: $API_KEY"`,
    ...Object.entries(fields ?? {}).map(([name, value]) => `--form '${name}=${value}'`),
  ]
  return lines.join(' \\\n  ')
}
