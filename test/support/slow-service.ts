import type { Answer, FakeLinkService } from './fake-link-service.ts'
import type { PersonDriver } from './person.ts'
import type { FakeClock } from './platform.ts'

/**
 * Submits Ana's form to a link service that takes longer to create a link than Slack waits, until the form asks to wait.
 *
 * @param waiting what the form shows then
 * @param listed the links that the service lists
 * @returns a function that makes the service answer
 */
export async function submitSlowly(
  { service, ana, clock }: { service: FakeLinkService; ana: PersonDriver; clock: FakeClock },
  waiting: string,
  listed: object[] = [],
): Promise<(late: Answer) => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const list = { status: 200, body: { data: { links: listed } } }
  service.answers(({ method }) => (method === 'POST' ? promise : list))
  const submitted = ana.submits()
  await clock.endSleep(2_000)
  await ana.seesModal(waiting)
  return async (late) => {
    resolve(late)
    await submitted
    await clock.endSleep(500)
  }
}
