import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readVariables, unknownVariables } from '../../src/config/variables.ts'

/*
 * What deploy/, compose.yaml and the Dockerfile must agree on with each other and with the program. CI checks their
 * form (.ci/check-deployment).
 */

const read = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

interface Compose {
  services: {
    app: { environment: Record<string, string>; stop_grace_period: string; ports?: string[] }
  }
  networks: Record<string, { internal?: boolean } | null>
}
interface Deployment {
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number
        containers: {
          env: { name: string; value: string }[]
          ports: { name: string; containerPort: number }[]
          [probe: `${string}Probe`]: { httpGet: { path: string; port: string } }
        }[]
      }
    }
  }
}
interface NetworkPolicy {
  spec: { ingress: { from: unknown[]; ports: { port: string }[] }[] }
}
interface Ingress {
  spec: {
    rules: { http: { paths: { path: string; backend: { service: { port: unknown } } }[] } }[]
  }
}

/** The longest time that stopping takes after SHUTDOWN_DELAY, in seconds (docs/configuration.md). */
const STOP_S = 8

const compose = parse(read('compose.yaml'), { merge: true }) as Compose
const kubernetes = parseAllDocuments(read('deploy/kubernetes.yaml')).map(
  (document) => document.toJS() as { kind: string },
)
const resource = (kind: string): unknown => kubernetes.find((document) => document.kind === kind)
const { spec: pod } = (resource('Deployment') as Deployment).spec.template
const [container] = pod.containers
if (!container) throw new Error('the pod has no container')
const podEnvironment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
const withDomain = (text: string): string => text.replace(/\$\{DOMAIN[^}]*\}/, 'go.example.com')

/** What Backhalf says about the settings when it starts. */
function issuesOf(environment: Record<string, string>): string[] {
  const values = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'))
  const issues: string[] = []
  readVariables(
    Object.fromEntries(values.map(([name, value]) => [name, withDomain(value)])),
    issues,
  )
  return issues
}

test.each([
  ['compose.yaml', compose.services.app.environment],
  ['deploy/kubernetes.yaml', { ...podEnvironment, TRUST_PROXY: '10.42.3.0/24' }],
])('%s sets only settings that exist, to valid values', (_, environment) => {
  expect(unknownVariables(Object.keys(environment))).toEqual([])
  expect(issuesOf(environment)).toEqual([])
})

test('in Kubernetes, Backhalf does not start until the network of the ingress is set', () => {
  expect(podEnvironment['TRUST_PROXY']).toContain('REPLACE')
  expect(issuesOf(podEnvironment)).toEqual([
    expect.stringMatching(/^TRUST_PROXY: must be .*network/),
  ])
})

test('in Kubernetes, the ingress controller reaches both servers, and only Prometheus the metrics', () => {
  const [toServers, toMetrics, ...others] = (resource('NetworkPolicy') as NetworkPolicy).spec
    .ingress
  expect(others).toEqual([])
  expect(toServers?.ports).toEqual([{ port: 'app' }, { port: 'service' }])
  expect(toMetrics?.ports).toEqual([{ port: 'metrics' }])
  expect(toMetrics?.from).not.toEqual(toServers?.from)
  expect(JSON.stringify([resource('Service'), resource('Ingress')])).not.toMatch(/metrics|9464/)
  expect(podEnvironment).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464' })
})

test('with Compose, Prometheus reaches the figures, and the host publishes only Caddy’s ports', () => {
  const { environment, ports } = compose.services.app
  expect(environment).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT: '9464' })
  expect(ports).toBeUndefined()
  expect(compose.networks['back']).toEqual({ internal: true })
  expect(read('docs/monitoring.md')).toContain('`app:9464`')
})

test('Docker, systemd and Kubernetes wait until Backhalf has stopped', () => {
  const { environment, stop_grace_period: grace } = compose.services.app
  expect(parseInt(grace)).toBeGreaterThan(Number(environment['SHUTDOWN_DELAY']) + STOP_S)
  const [, timeout] = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/backhalf.service')) ?? []
  expect(Number(timeout)).toBeGreaterThan(2 + STOP_S)
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
    Number(podEnvironment['SHUTDOWN_DELAY']) + STOP_S,
  )
})

test('the probes of Kubernetes ask for pages that exist, and readiness doesn’t depend on Slack', () => {
  const probes = Object.entries(container).filter(([name]) => name.endsWith('Probe'))
  expect(Object.fromEntries(probes)).toMatchObject({
    startupProbe: { httpGet: { path: '/healthz', port: 'app' } },
    livenessProbe: { httpGet: { path: '/healthz', port: 'app' } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'service' } },
  })
  expect(container.ports).toEqual([
    { name: 'app', containerPort: 3000 },
    { name: 'service', containerPort: 3001 },
    { name: 'metrics', containerPort: Number(podEnvironment['METRICS_PORT']) },
  ])
})

test('Caddy and the ingress send the same paths to the app', () => {
  const [, matcher = ''] = /@app path (.+)/.exec(read('deploy/Caddyfile')) ?? []
  const [rule] = (resource('Ingress') as Ingress).spec.rules
  const toApp = (rule?.http.paths ?? []).filter(
    ({ backend }) => JSON.stringify(backend.service.port) === '{"name":"app"}',
  )
  const paths = ['/slack/', '/qr/', '/chart/']
  expect(matcher.replaceAll('*', '').split(' ')).toEqual(paths)
  expect(toApp.map(({ path }) => path)).toEqual(paths)
})
