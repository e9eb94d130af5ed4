import { expect } from 'vitest'
import { createTransport } from '../../src/client/transport.ts'
import { checkRules, type Finding, type Rule } from '../../src/conformance/rule.ts'
import { RULES } from '../../src/conformance/rules/rules.ts'
import { createTestedService } from '../../src/conformance/tested-service.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { withService } from '../support/fixtures.ts'
import { brokenTransport, type Fault } from './broken-transport.ts'
import { faults, type Target } from './faults.ts'

const { test, service } = withService()
const transport = createTransport()
test.afterAll(() => transport.close())

let workspaces = 0

/** Checks rules with a new API key. Links need not be a second apart, because the service counts milliseconds. */
async function check(
  rules: readonly Rule[],
  faultOf: (target: Target) => Fault | undefined,
): Promise<Finding[]> {
  const id = `T${++workspaces}`
  const { apiKey, domains } = await service.service.provision({ id, name: id })
  const domain = domains[0]?.name ?? ''
  const fault = faultOf({ apiKey, domain })
  if (!fault) throw new Error('there is no such fault')
  const clock = { ...systemClock, sleep: () => systemClock.sleep(5) }
  const tested = createTestedService({
    transport: brokenTransport(transport, fault),
    baseUrl: service.baseUrl,
    apiKey,
    domain,
    clock,
  })
  return checkRules(rules, tested, clock)
}

const checkable = RULES.filter((rule) => typeof rule.check !== 'string')

/** Creates cause most errors, and the rules about all responses cost next to nothing. */
const ALWAYS_CHECKED = ['4.1', '7', '9']

// Lists and images are most of a full check, so the other sections are checked for the faults of their own rules only.
test.each(checkable)(
  'finds a service that breaks the rule $id, and no other of §$section, §4.1, §7 and §9',
  async ({ id, section: own }) => {
    const rules = RULES.filter(({ section }) => [own, ...ALWAYS_CHECKED].includes(section))
    const findings = await check(rules, (target) => faults(target)[id])
    const broken = findings.filter(({ status }) => status === 'broken')
    expect(broken.map((finding) => finding.id)).toEqual([id])
  },
)

test('each rule has its own ID, a reason if it can’t be checked, and can say what the app can’t do without it', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length)
  const broken = Object.keys(faults({ apiKey: '', domain: '' }))
  expect(checkable.map(({ id }) => id).toSorted()).toEqual(broken.toSorted())
  for (const { rule, otherwise, check } of RULES) {
    expect(rule).toMatch(/^[A-Za-z].*\.$/)
    expect(otherwise ?? 'Nothing.', rule).toMatch(/^[A-Z/].*\.$/)
    if (typeof check === 'string') expect(check).toMatch(/^[a-z].+[a-z]$/)
  }
})
